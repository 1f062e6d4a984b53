"""The peers' side of the side-by-side runs: `peers.py numpy` or `peers.py torch` reads the name of a
work and a number of repetitions a line and answers with seconds of processor time a repetition."""

import ctypes
import json
import math
import statistics
import sys
import time

ALPHA, BETA, DELTA, WIDTH = 1e-9, 1e-6, 0.01, 64


def blas():
    """Name, kernels and threads of the BLAS that is loaded."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "blas" in line and ".so" in line}
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        try:
            library.openblas_get_config.restype = ctypes.c_char_p
            library.openblas_get_corename.restype = ctypes.c_char_p
        except AttributeError:
            continue
        words = library.openblas_get_config().decode().split()
        return {"blas": " ".join(words[:2]), "kernels": library.openblas_get_corename().decode(),
                "threads": library.openblas_get_num_threads()}
    return {"blas": "reference BLAS", "kernels": "none tuned", "threads": 1}


def sample_size(excess, alpha, delta):
    """Squares of kurtosis 1 + excess whose mean tells 1 from 1 + delta."""
    quantile = statistics.NormalDist().inv_cdf
    z = -quantile(alpha / 2) - quantile(BETA)
    return math.ceil(excess * (z / math.log1p(delta)) ** 2)


def numpy_works():
    import numpy

    generator = numpy.random.default_rng(1)
    fast = numpy.random.Generator(numpy.random.SFC64(1))

    def require(holds):
        if not holds:
            raise RuntimeError("not verified")

    def naive():
        # Independent pairs: Var(q·k)² / Var² = 2 + 6/d. Two arrays, one sum of products a row.
        pairs = sample_size(2 + 6 / WIDTH, ALPHA, DELTA)
        squares, left = 0.0, pairs
        while left > 0:
            rows = min(left, 1 << 17)  # 64 MB each
            q = generator.standard_normal((rows, WIDTH))
            k = generator.standard_normal((rows, WIDTH))
            squares += float((numpy.sum(q * k, axis=1) ** 2).sum())
            left -= rows
        require(abs(math.log(squares / pairs / WIDTH)) < math.log1p(DELTA))
        return pairs

    def blocked(rows=64, keys=1024):
        # The two exact tests that ours makes, with the sizes that cost numpy least: few Cholesky
        # factors of as many queries as they have entries, long blocks of keys, one matmul each;
        # the rest of the queries counts by its length alone. In blocks that stay in the cache, from
        # numpy's fastest generator.
        generator = fast
        part = math.expm1(math.log1p(DELTA) / 2)
        needed = sample_size(2, ALPHA / 2, part)
        q = numpy.empty((rows, WIDTH))
        k = numpy.empty((keys, WIDTH))
        s = numpy.empty((rows, keys))
        scores, queries = 0.0, 0.0
        count_scores = count_queries = 0
        while count_scores < needed:
            generator.standard_normal(out=q)
            queries += float(numpy.vdot(q, q))
            count_queries += q.size
            generator.standard_normal(out=k)
            numpy.matmul(q, k.T, out=s)
            # ‖L⁻¹S‖² = tr(S Sᵀ (Q Qᵀ)⁻¹), two products of small matrices.
            scores += float(numpy.trace(numpy.linalg.solve(q @ q.T, s @ s.T)))
            count_scores += s.size
        rest = numpy.empty((keys, WIDTH))
        while count_queries < needed:
            generator.standard_normal(out=rest)
            queries += float(numpy.vdot(rest, rest))
            count_queries += rest.size
        for total, count in ((scores, count_scores), (queries, count_queries)):
            require(abs(math.log(total / count)) < math.log1p(part))
        return count_scores + count_queries

    def normals():
        return float(generator.standard_normal(1 << 22)[-1])

    about = {"name": "numpy", "version": numpy.__version__,
             "generator": type(generator.bit_generator).__name__}
    numpy.ones((8, 8)) @ numpy.ones((8, 8))
    return about, {"verify_variance_naive": naive, "verify_variance_blocked": blocked,
                   "normals": normals}


def torch_works():
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)

    def attention(q, k, v):
        return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), -1) @ v

    def gradcheck(fast):
        inputs = [torch.randn(32, 64, dtype=torch.float64, requires_grad=True) for _ in range(3)]
        return lambda: float(torch.autograd.gradcheck(attention, inputs, fast_mode=fast))

    def attention_pass(dtype):
        shape = (8, 256, 64)
        index = torch.arange(8 * 256 * 64, dtype=torch.float64)
        q, k, v, cotangent = (torch.sin(index * (i + 1)).to(dtype).reshape(shape) for i in range(4))
        inputs = [tensor.requires_grad_() for tensor in (q, k, v)]

        def work():
            o = attention(*inputs)
            gradients = torch.autograd.grad(o, inputs, cotangent)
            return sum(float(t.reshape(-1)[::97].double().abs().sum())
                       for t in (*gradients, o.detach()))
        return work

    weights = torch.empty(4096, 4096)
    bound = 2 / math.sqrt(4096)

    def init_draw():
        torch.nn.init.trunc_normal_(weights, 0, 1 / math.sqrt(4096), -bound, bound)
        return float(weights[0, 0])

    about = {"name": "torch", "version": torch.__version__,
             "simd": torch.__config__.show().split("CPU capability usage: ")[-1].split()[0]}
    torch.ones(8, 8) @ torch.ones(8, 8)
    return about, {"gradcheck_slow": gradcheck(False), "gradcheck_fast": gradcheck(True),
                   "attention_f64": attention_pass(torch.float64),
                   "attention_f32": attention_pass(torch.float32), "init_draw": init_draw}


def main():
    try:
        about, works = {"numpy": numpy_works, "torch": torch_works}[sys.argv[1]]()
    except ImportError as error:
        print(json.dumps({"error": str(error)}), flush=True)
        return
    about.update(blas())
    warm = set()
    for line in sys.stdin:
        name, repetitions = (line.split() + ["1"])[:2]
        try:
            if name == "describe":
                answer = about
            else:
                if name not in warm:
                    works[name]()
                    warm.add(name)
                start = time.process_time()
                for _ in range(int(repetitions)):
                    value = works[name]()
                answer = {"seconds": (time.process_time() - start) / int(repetitions),
                          "value": value}
        except Exception as error:  # told to whoever asked
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
