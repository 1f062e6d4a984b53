"""PyTorch as it is: initialisers, layers' defaults, functional operations and autograd.

    rootdk run --subject 'python3 torch_subject.py'

| operation       | what answers                                                             |
|-----------------|--------------------------------------------------------------------------|
| init            | torch.nn.init; lecun_uniform and pytorch_linear: nn.Linear's own default |
| init_parameter  | recipe glorot: nn.MultiheadAttention, nn.Linear for the head             |
| activation_gain | nn.init.calculate_gain                                                   |
| the others      | torch.nn.functional and torch.matmul, backward by autograd               |
"""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from rootdk_subject import NotApplicable, serve, visible

torch.set_num_threads(1)
TORCH_DTYPES = {np.dtype("<f8"): torch.float64, np.dtype("<f4"): torch.float32}


def seeded(call):
    torch.manual_seed(call.attributes.seed % 2**63)
    torch.set_default_dtype(TORCH_DTYPES[call.dtypes[0]])


# ---- initialisers; torch stores a weight as [fan_out, fan_in] ----

def truncated(w, a):
    nn.init.trunc_normal_(w, std=a.gain / np.sqrt(w.shape[1]))  # its bounds are −2 and 2


def linear_default(w, a):
    layer = nn.Linear(w.shape[1], w.shape[0], bias=False)
    w.copy_(a.gain * layer.weight)


def kaiming(fill, mode):
    def draw(w, a):
        fill(w, a=a.slope, mode=mode, nonlinearity="leaky_relu")
        w.mul_(a.gain)
    return draw


def lecun(w, a):
    nn.init.kaiming_normal_(w, nonlinearity="linear")
    w.mul_(a.gain)


INITIALISERS = {
    "glorot_normal": lambda w, a: nn.init.xavier_normal_(w, gain=a.gain),
    "glorot_uniform": lambda w, a: nn.init.xavier_uniform_(w, gain=a.gain),
    "he_normal": kaiming(nn.init.kaiming_normal_, "fan_in"),
    "he_normal_fan_out": kaiming(nn.init.kaiming_normal_, "fan_out"),
    "he_uniform": kaiming(nn.init.kaiming_uniform_, "fan_in"),
    "lecun_normal": lecun,
    "lecun_truncated": truncated,
    "lecun_uniform": linear_default,
    "pytorch_linear": linear_default,
    "orthogonal": lambda w, a: nn.init.orthogonal_(w, gain=a.gain),
}


def init(call):
    a = call.attributes
    rows, columns = call.shapes[0][2:]
    if a.initialiser not in INITIALISERS:
        raise NotApplicable(f"initialiser {a.initialiser}")
    if a.fan_in not in (0, rows) or a.fan_out not in (0, columns):
        raise NotApplicable("fans other than those of the matrix")
    seeded(call)
    w = torch.empty(columns, rows)
    with torch.no_grad():
        INITIALISERS[a.initialiser](w, a)
    return [w.T.numpy()]


def init_parameter(call):
    a = call.attributes
    if a.recipe != "glorot":
        raise NotApplicable(f"recipe {a.recipe}")
    seeded(call)
    d = a.d_model
    if a.role == "head":
        w = nn.Linear(d, a.vocabulary, bias=False).weight.T
    else:
        layer = nn.MultiheadAttention(d, a.heads, bias=False)
        parts = dict(zip(["query", "key", "value"], layer.in_proj_weight.chunk(3)))
        parts["packed_qkv"] = layer.in_proj_weight
        parts["attention_output"] = layer.out_proj.weight
        if a.role not in parts:
            raise NotApplicable(f"role {a.role}")
        w = parts[a.role].T
    rows = w.shape[0] // a.shards
    return [w[a.shard * rows:(a.shard + 1) * rows].detach().numpy()]


def activation_gain(call):
    a = call.attributes
    if a.activation not in ("relu", "leaky_relu", "tanh", "sigmoid", "selu"):
        raise NotApplicable(f"gain of {a.activation}")
    return [np.array(nn.init.calculate_gain(a.activation, a.slope))]


# ---- operations ----

ACTIVATIONS = {"relu": F.relu, "leaky_relu": F.leaky_relu, "tanh": torch.tanh,
               "sigmoid": torch.sigmoid, "silu": F.silu, "gelu": F.gelu, "selu": F.selu}


def activation(name):
    if name == "leaky_relu":
        return lambda a, x: F.leaky_relu(x, a.slope)
    return lambda a, x: ACTIVATIONS[name](x)


def linear(a, x, w, *bias):
    return F.linear(x, w[0, 0].T, bias[0].reshape(-1) if bias else None)


def layer_norm(a, x, gamma, beta):
    vector = lambda t: t.reshape(-1) if t.numel() else None
    return F.layer_norm(x, x.shape[-1:], vector(gamma), vector(beta), a.epsilon)


def cross_entropy(a, z):
    labels = torch.tensor(a.labels)
    losses = [F.cross_entropy(matrix, labels) for matrix in z.flatten(0, 1)]
    return torch.stack(losses).reshape(*z.shape[:2], 1, 1)


def scores(a, q, k, *parameters):
    if a.scheme == "sqrt_dk":
        q = q / q.shape[-1] ** 0.5
    return parameters[0].reshape(()) * (q @ k.mT) if parameters else q @ k.mT


def attention(a, q, k, v, *parameters):
    if a.scheme != "sqrt_dk":
        raise NotApplicable(f"attention of scheme {a.scheme}")
    mask = torch.from_numpy(visible(a, q.shape[2], k.shape[2], q.shape[0]))
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    # Before 2.0 the same function had a leading underscore, flat batches and True for what is hidden
    # in a mask of numbers.
    hidden = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(~mask, float("-inf"))
    return F._scaled_dot_product_attention(q, k, v, hidden.expand(*q.shape[:2], -1, -1))[0]


OPERATIONS = {"linear": linear, "softmax": lambda a, z: F.softmax(z, dim=-1),
              "log_softmax": lambda a, z: F.log_softmax(z, dim=-1), "cross_entropy": cross_entropy,
              "identity": lambda a, x: nn.Identity()(x), "layer_norm": layer_norm, "scores": scores, "attention": attention,
              **{name: activation(name) for name in ACTIVATIONS}}


def forward(operation):
    def kernel(call):
        with torch.no_grad():
            inputs = [torch.from_numpy(x.copy()) for x in call.inputs]
            return [operation(call.attributes, *inputs).numpy()]
    return kernel


def backward(operation):
    def kernel(call):
        *inputs, cotangent = [torch.from_numpy(x.copy()) for x in call.inputs]
        for x in inputs:
            x.requires_grad_()
        operation(call.attributes, *inputs).backward(cotangent)
        return [np.zeros(x.shape) if x.grad is None else x.grad.numpy() for x in inputs]
    return kernel


if __name__ == "__main__":
    kernels = {("init", "forward"): init, ("init_parameter", "forward"): init_parameter,
               ("activation_gain", "forward"): activation_gain}
    for op, function in OPERATIONS.items():
        kernels[op, "forward"] = forward(function)
        kernels[op, "backward"] = backward(function)
    serve("torch " + torch.__version__, kernels, dtypes=["f64", "f32"],
          schemes=["none", "sqrt_dk", "learnable"], masks=["none", "causal", "padding"],
          layouts=["rows", "batch"])
