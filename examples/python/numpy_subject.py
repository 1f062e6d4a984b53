"""Attention, its parts and their backward passes, written out in numpy, in double.

    rootdk run --subject 'python3 numpy_subject.py'
"""
import numpy as np

from rootdk_subject import NotApplicable, serve, visible


def softmax_of(z):
    top = z.max(axis=-1, keepdims=True)
    dead = np.isneginf(top)
    with np.errstate(over="ignore", under="ignore"):  # a gap may exceed the range: e^−∞ is 0
        e = np.exp(z - np.where(dead, 0, top))
    e[e < np.finfo(z.dtype).tiny] = 0
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(dead, 1, total)


def softmax_gradient(p, dp):
    # Differences to the winner's cotangent: in a row that is almost one-hot nothing cancels.
    winner = np.take_along_axis(dp, p.argmax(axis=-1, keepdims=True), axis=-1)
    shifted = dp - winner
    return p * (shifted - (p * shifted).sum(axis=-1, keepdims=True))


def softmax(call):
    return [softmax_of(call.inputs[0])]


def softmax_backward(call):
    z, dp = call.inputs
    return [softmax_gradient(softmax_of(z), dp)]


def transposed(x):
    return np.swapaxes(x, -1, -2)


def linear(call):
    x, w, *bias = call.inputs
    y = x @ w[0, 0]
    return [y + bias[0] if bias else y]


def linear_backward(call):
    x, w, *bias, dy = call.inputs
    gradients = [dy @ w[0, 0].T, (transposed(x) @ dy).sum(axis=(0, 1))]
    if bias:
        gradients.append(dy.sum(axis=(0, 1, 2)))
    return gradients


def centred(x):
    x = x - x.mean(axis=-1, keepdims=True)
    return x - x.mean(axis=-1, keepdims=True)  # what is left of the mean is of the order of u


def inverse_rms(x, epsilon):
    mean = (x * x).mean(axis=-1, keepdims=True) + epsilon
    return np.where(mean > 0, 1 / np.sqrt(np.where(mean > 0, mean, 1)), 0)


def gain_of(gamma):
    return gamma if gamma.size else 1.0


def normalise_gradient(x, r, upstream):
    return r * (upstream - x * r * (x * r * upstream).mean(axis=-1, keepdims=True))


def rms_norm(call):
    x, gamma = call.inputs
    return [x * inverse_rms(x, call.attributes.epsilon) * gain_of(gamma)]


def rms_norm_backward(call):
    x, gamma, dy = call.inputs
    r = inverse_rms(x, call.attributes.epsilon)
    dgamma = (dy * x * r).sum(axis=(0, 1, 2)) if gamma.size else gamma
    return [normalise_gradient(x, r, dy * gain_of(gamma)), dgamma]


def layer_norm(call):
    x, gamma, beta = call.inputs
    c = centred(x)
    y = c * inverse_rms(c, call.attributes.epsilon) * gain_of(gamma)
    return [y + beta if beta.size else y]


def layer_norm_backward(call):
    x, gamma, beta, dy = call.inputs
    c = centred(x)
    r = inverse_rms(c, call.attributes.epsilon)
    dx = centred(normalise_gradient(c, r, dy * gain_of(gamma)))
    dgamma = (dy * c * r).sum(axis=(0, 1, 2)) if gamma.size else gamma
    dbeta = dy.sum(axis=(0, 1, 2)) if beta.size else beta
    return [dx, dgamma, dbeta]


SCHEMES = ["none", "sqrt_dk", "sqrt_dmodel", "learnable"]


def factor_of(a, q, parameters):
    d = q.shape[-1]
    if a.scheme == "none":
        return 1.0
    if a.scheme == "sqrt_dk":
        return 1 / np.sqrt(d)
    if a.scheme == "sqrt_dmodel":
        return 1 / np.sqrt(a.d_model or a.heads * d)
    if a.scheme == "learnable":
        return parameters[0].item()
    raise NotApplicable(f"scheme {a.scheme}")


def scores(call):
    q, k, *parameters = call.inputs
    return [(q @ transposed(k)) * factor_of(call.attributes, q, parameters)]


def scores_gradient(a, q, k, parameters, ds):
    factor = factor_of(a, q, parameters)
    gradients = [factor * (ds @ k), factor * (transposed(ds) @ q)]
    if parameters:
        gradients.append((ds * (q @ transposed(k))).sum())
    return gradients


def scores_backward(call):
    q, k, *parameters, ds = call.inputs
    return scores_gradient(call.attributes, q, k, parameters, ds)


def probabilities(a, q, k, parameters):
    s = (q @ transposed(k)) * factor_of(a, q, parameters)
    seen = visible(a, q.shape[2], k.shape[2], q.shape[0])
    return softmax_of(np.where(seen, s, -np.inf))


def attention(call):
    q, k, v, *parameters = call.inputs
    return [probabilities(call.attributes, q, k, parameters) @ v]


def attention_backward(call):
    q, k, v, *parameters, do = call.inputs
    p = probabilities(call.attributes, q, k, parameters)
    ds = softmax_gradient(p, do @ transposed(v))
    dq, dk, *rest = scores_gradient(call.attributes, q, k, parameters, ds)
    return [dq, dk, transposed(p) @ do, *rest]


if __name__ == "__main__":
    operations = {"softmax": (softmax, softmax_backward), "linear": (linear, linear_backward),
                  "rms_norm": (rms_norm, rms_norm_backward),
                  "layer_norm": (layer_norm, layer_norm_backward),
                  "scores": (scores, scores_backward), "attention": (attention, attention_backward)}
    kernels = {}
    for op, (forward, backward) in operations.items():
        kernels[op, "forward"] = forward
        kernels[op, "backward"] = backward
    serve("numpy", kernels, dtypes=["f64"], schemes=SCHEMES, masks=["none", "causal", "padding"],
          layouts=["rows", "batch"])
