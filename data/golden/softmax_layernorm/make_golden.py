#!/usr/bin/env python3
"""Golden vectors for softmax, log-softmax, layernorm and their gradients, computed by PyTorch in float64.

    python make_golden.py            writes torch.json beside this file (needs torch)
    python make_golden.py --verify   checks the file against loops over the definitions (needs numpy alone)

See README.md for the format, the coverage and the versions.
"""

import argparse
import json
import math
import sys
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np

FILE = Path(__file__).resolve().parent / "torch.json"
SEED = 20240613
GAP = 12345.0  # what lies between the elements of a stepped view: loud if it is read
GRAIN = 2.0**-8  # most inputs are multiples of it, for short files


def float32(values):
    return np.asarray(values, dtype=np.float64).astype(np.float32).astype(np.float64)


class View:
    """A tensor of float32 numbers laid out with its axes in `order` (outermost first), `step` slots an element."""

    def __init__(self, values, order=None, step=None, repeated=None):
        values = float32(values)
        if repeated is not None:  # stride 0 along that axis
            values = np.broadcast_to(np.take(values, [0], axis=repeated), values.shape)
        order = list(range(values.ndim)) if order is None else order
        step = [1] * values.ndim if step is None else step
        self.extents, self.strides, size = list(values.shape), [0] * values.ndim, 1
        for axis in reversed(order):
            if axis == repeated:
                continue
            self.strides[axis] = size * step[axis]
            size *= max(self.extents[axis], 1) * step[axis]
        self.offset = 2 if any(s > 1 for s in step) else 0
        self.data = np.full(self.offset + size, GAP)
        for at in np.ndindex(*self.extents):
            self.data[self.offset + sum(i * s for i, s in zip(at, self.strides))] = values[at]
        if 0 in self.extents:
            self.data = self.data[:0]
            self.offset = 0
        self.values = values

    def json(self):
        return {"extents": self.extents, "strides": self.strides, "offset": self.offset,
                "data": [float(x) for x in self.data]}


def dense(tensor):
    array = tensor.detach().numpy()
    return {"extents": list(array.shape), "data": [float(x) for x in array.reshape(-1)]}


def compute(function, axis, eps, x, dy, gamma, beta):
    """Every output of `function` by PyTorch in float64."""
    import torch

    tensors = {name: torch.tensor(np.array(v.values), dtype=torch.float64, requires_grad=True)
               for name, v in (("x", x), ("gamma", gamma), ("beta", beta)) if v is not None}
    if function.startswith("layernorm"):
        n = x.extents[axis]
        moved = tensors["x"].movedim(axis, -1)
        shift = tensors["beta"] if "beta" in tensors else torch.zeros(n, dtype=torch.float64, requires_grad=True)
        y = torch.nn.functional.layer_norm(moved, (n,), tensors["gamma"], shift, eps).movedim(-1, axis)
    elif function == "log_softmax":
        y = torch.log_softmax(tensors["x"], axis)
    else:
        y = torch.softmax(tensors["x"], axis)
    if dy is None:
        return {"y": dense(y)}
    y.backward(torch.tensor(np.array(dy.values)))
    outputs = {"dx": dense(tensors["x"].grad)}
    if function == "layernorm_backward":
        outputs.update(dgamma=dense(tensors["gamma"].grad), dbeta=dense(shift.grad))
    return outputs


FUNCTIONS = ("softmax", "log_softmax", "softmax_backward", "layernorm", "layernorm_backward")


def vectors():
    made = []

    def add(name, why, extents, axis, functions=FUNCTIONS, change=None, eps=1e-5, layout=None, plain_affine=False, tolerance=1e-12):
        for function in functions:
            rng = np.random.default_rng([SEED, zlib.crc32((name + function).encode())])

            def draw(shape):
                return np.round(rng.standard_normal(shape) / GRAIN) * GRAIN

            values = draw(extents)
            layout_of = dict(layout or {})
            x = View(values if change is None else change(values), **layout_of)
            dy = View(draw(extents)) if function.endswith("backward") else None
            gamma = beta = None
            if function.startswith("layernorm"):
                n = extents[axis]
                gamma = View(np.ones(n) if plain_affine else 1 + draw(n))
                if function == "layernorm":
                    beta = View(np.zeros(n) if plain_affine else draw(n))
            eps32 = float(np.float32(eps))
            vector = {"name": name + "/" + function, "why": why, "function": function, "axis": axis, "x": x.json()}
            for field, view in (("dy", dy), ("gamma", gamma), ("beta", beta)):
                if view is not None:
                    vector[field] = view.json()
            if function.startswith("layernorm"):
                vector["eps"] = eps32
            if tolerance != 1e-12:
                vector["tolerance"] = tolerance
            vector["out"] = compute(function, axis, eps32, x, dy, gamma, beta)
            made.append(vector)

    soft, norm = FUNCTIONS[:3], FUNCTIONS[3:]
    for axis, extents in ((2, (2, 3, 5)), (1, (3, 5, 2)), (0, (6, 2, 3))):
        add("axis_%d" % axis, "the formula along axis %d" % axis, extents, axis)
    add("cube", "equal extents", (3, 3, 3), 1)
    for n in (2, 31, 127):
        add("length_%d" % n, "slices of %d" % n, (2, n, 1), 1)
    add("one", "slices of one element", (3, 1, 2), 1)
    add("no_slices", "an extent of 0 beside the axis", (0, 4, 2), 1)
    add("transposed", "x lies with axis 0 innermost", (2, 4, 3), 1, layout={"order": [2, 1, 0]})
    add("stepped", "x with gaps", (2, 3, 4), 2, layout={"step": [1, 2, 3]})
    add("repeated", "x repeats its first index of axis 0", (3, 2, 4), 2, layout={"repeated": 0})
    add("one_hot", "1, 0, 0, 0 without affine", (1, 1, 4), 2, norm, lambda x: np.array([[[1.0, 0, 0, 0]]]),
        plain_affine=True)
    add("overflow", "x near 95 and 130", (2, 2, 5), 2, soft, lambda x: x + np.array([[[95.0], [130]], [[3], [60]]]))
    add("far_below", "x near -160 and -400", (2, 2, 5), 2, soft,
        lambda x: x - np.array([[[160.0], [400]], [[3], [20]]]))
    add("at_1e4", "x at 1e4 and -1e4", (2, 2, 9), 2, soft, lambda x: x + np.array([[[1e4], [-1e4]], [[0], [5e3]]]))
    add("wide", "elements thousands apart", (2, 2, 6), 2, soft, lambda x: 4096 * x)
    add("at_1e9", "x next to 1e9 in size", (1, 2, 5), 2, soft, lambda x: 64 * np.floor(x) + [[[9.9e8], [-9.9e8]]])
    add("deep", "one element 95, 120 or 600 below the rest", (3, 1, 4), 2, soft,
        lambda x: x - np.array([[[95.0, 0, 0, 0]], [[0, 120, 0, 0]], [[0, 0, 0, 600]]]))
    add("small", "x of size 1e-4: eps rules", (2, 2, 8), 2, norm, lambda x: x * 2.0**-13)
    add("constant", "variance 0", (2, 3, 4), 1, norm, lambda x: np.ones_like(x) * [[[1.0, -2, 3, 0]]])
    # float64 itself may lose (n + 1) 2^-53 mean |x| = 3.6e-11 of the mean here
    add("mean_1e4", "1e4 + N, n = 31", (1, 31, 3), 1, norm, lambda x: 1e4 + x, tolerance=1e-11)
    add("mean_300", "300 + N", (2, 2, 16), 2, norm, lambda x: 300 + x)
    add("large_eps", "eps 0.5", (2, 2, 6), 2, norm, eps=0.5)
    add("tiny_eps", "eps 1e-12", (2, 2, 6), 2, norm, eps=1.0001e-12)
    return made


def write():
    import torch

    torch.set_num_threads(1)
    made = vectors()
    assert len({v["name"] for v in made}) == len(made)

    def compact(value):
        return json.dumps(value, separators=(",", ":"), allow_nan=False)

    made_with = {"torch": torch.__version__, "numpy": np.__version__}
    FILE.write_text('{"made_with":%s,"vectors":[\n%s\n]}\n' % (compact(made_with), ",\n".join(map(compact, made))),
                    encoding="ascii")
    print("%s: %d vectors, %d bytes" % (FILE.name, len(made), FILE.stat().st_size))


# ----------------------------------------------------------------------------------------------------------------
# --verify: the definitions slice by slice, with exact sums. It shares nothing with the code above.
# ----------------------------------------------------------------------------------------------------------------


def read(view):
    result = np.zeros(view["extents"])
    for at in np.ndindex(*view["extents"]):
        value = view["data"][view["offset"] + sum(i * s for i, s in zip(at, view["strides"]))]
        assert float(np.float32(value)) == value, "not a float32 number"
        result[at] = value
    return result


def by_definition(vector):
    function, axis, eps = vector["function"], vector["axis"], vector.get("eps")
    x = read(vector["x"])
    dy = read(vector["dy"]) if "dy" in vector else None
    n = x.shape[axis]
    gamma = read(vector["gamma"]) if "gamma" in vector else None
    beta = read(vector["beta"]) if "beta" in vector else None
    out, dgamma, dbeta = np.zeros_like(x), np.zeros(n), np.zeros(n)
    for at in np.ndindex(*(e for a, e in enumerate(x.shape) if a != axis)):
        where = at[:axis] + (slice(None),) + at[axis:]
        row = x[where]
        if function.startswith("layernorm"):
            mean = sum(map(Fraction, row)) / n
            d = [float(Fraction(v) - mean) for v in row]
            r = 1 / math.sqrt(math.fsum(v * v for v in d) / n + eps)
            xhat = [v * r for v in d]
            if function == "layernorm":
                out[where] = [g * h + b for g, h, b in zip(gamma, xhat, beta)]
                continue
            g = gamma * dy[where]
            a, c = math.fsum(g) / n, math.fsum(v * h for v, h in zip(g, xhat)) / n
            out[where] = [r * (v - a - h * c) for v, h in zip(g, xhat)]
            dgamma += dy[where] * xhat
            dbeta += dy[where]
            continue
        total = math.fsum(math.exp(v - max(row)) for v in row)
        if function == "log_softmax":
            out[where] = [v - max(row) - math.log(total) for v in row]
            continue
        y = [math.exp(v - max(row)) / total for v in row]
        if function == "softmax":
            out[where] = y
            continue
        s = math.fsum(p * v for p, v in zip(y, dy[where]))
        out[where] = [p * (v - s) for p, v in zip(y, dy[where])]
    if function == "layernorm_backward":
        return {"dx": out, "dgamma": dgamma, "dbeta": dbeta}
    return {"dx" if function.endswith("backward") else "y": out}


def verify():
    document = json.loads(FILE.read_text(encoding="ascii"))
    failed, worst = 0, (0.0, "-")
    for vector in document["vectors"]:
        own = by_definition(vector)
        assert own.keys() == vector["out"].keys()
        limit = vector.get("tolerance", 1e-12)
        for name, values in own.items():
            golden = np.array(vector["out"][name]["data"]).reshape(vector["out"][name]["extents"])
            off = (np.abs(golden - values) / np.maximum(1, np.abs(values))).max(initial=0)
            worst = max(worst, (float(off / limit), vector["name"] + " " + name))
            if golden.shape != values.shape or not off <= limit:
                failed += 1
                print("%s: %s off by %g" % (vector["name"], name, off))
    print("%d vectors, made with %s" % (len(document["vectors"]), document["made_with"]))
    print("largest deviation: %.2g of its limit (%s)" % worst)
    print("verified" if not failed else "%d outputs failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verify", action="store_true", help="check the file instead of writing it")
    sys.exit(verify() if parser.parse_args().verify else write())
