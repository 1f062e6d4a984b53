"""The protocol of docs/subject-protocol.md for subjects written in Python with numpy.

    def softmax(call):                       # call.inputs, call.attributes, call.shapes
        z, = call.inputs
        ...
        return [p]

    serve("my kernels", {("softmax", "forward"): softmax}, dtypes=["f64"])
"""
import json
import os
import sys
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

DTYPES = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4"), "f16": np.dtype("<f2")}


class NotApplicable(Exception):
    """Raised for what a subject does not do: the claim is then not applicable, by this text."""


@dataclass
class Call:
    attributes: SimpleNamespace
    inputs: list   # arrays [batch, heads, rows, columns]
    shapes: list   # of the outputs that are asked for
    dtypes: list   # of the outputs, as numpy dtypes


def _array(layout, stream):
    dtype = DTYPES[layout["dtype"]]
    shape = tuple(layout["shape"])
    count = int(np.prod(shape))
    data = stream.read(count * dtype.itemsize)
    return np.frombuffer(data, dtype=dtype).reshape(shape)


def _answer(kernels, message, stream):
    inputs = [_array(layout, stream) for layout in message["in"]]
    call = Call(SimpleNamespace(**message["attributes"]), inputs,
                [tuple(layout["shape"]) for layout in message["out"]],
                [DTYPES[layout["dtype"]] for layout in message["out"]])
    outputs = kernels[message["op"], message["pass"]](call)
    result = b""
    for output, shape, dtype in zip(outputs, call.shapes, call.dtypes, strict=True):
        output = np.asarray(output, dtype=dtype)
        if output.size != int(np.prod(shape)):
            raise ValueError(f"an output has shape {output.shape}, asked for {shape}")
        result += np.ascontiguousarray(output).tobytes()
    return result


def serve(name, kernels, dtypes, schemes=(), masks=("none",), layouts=("rows",)):
    """Answers calls until standard input ends. What a kernel prints goes to standard error."""
    source = sys.stdin.buffer
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(message, data=b""):
        target.write(json.dumps(message).encode() + b"\n" + data)
        target.flush()

    send({"protocol": "rootdk/subject/1", "name": name,
          "kernels": [{"op": op, "pass": which, "dtypes": list(dtypes)} for op, which in kernels],
          "schemes": list(schemes), "masks": list(masks), "layouts": list(layouts)})
    for line in source:
        try:
            result = _answer(kernels, json.loads(line), source)
        except NotApplicable as lacking:
            send({"not_applicable": str(lacking)})
        except Exception as error:  # the claim is then broken, with this reason
            send({"error": f"{type(error).__name__}: {error}"})
        else:
            send({"bytes": len(result)}, result)


def visible(attributes, queries, keys, batch):
    """[batch, 1, queries, keys]: does the query see the key? The last query sees the last key."""
    i = np.arange(queries)[:, None]
    j = np.arange(keys)[None, :]
    seen = np.ones((batch, 1, queries, keys), dtype=bool)
    if attributes.causal:
        seen &= j <= i + keys - queries
    if attributes.key_lengths:
        seen &= j < np.array(attributes.key_lengths)[:, None, None, None]
    return seen
