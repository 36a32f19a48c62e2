#!/usr/bin/env python3
"""Golden vectors for the exercise long_attention, computed by PyTorch in float64.

    python make_golden.py            writes torch.json beside this file (needs torch and numpy)
    python make_golden.py --verify   checks that file against plain Python (needs nothing)

See README.md for the format and the coverage.
"""

import argparse
import json
import math
import sys
import zlib
from pathlib import Path

FILE = Path(__file__).resolve().parent / "torch.json"
SEED = 20240614
GRAIN = 2.0**-10  # every input is a multiple of it, and so exact in float32


def draw(name, shape, spread=1.0, shift=0.0):
    import numpy as np

    rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])
    return np.round((shift + spread * rng.standard_normal(shape)) / GRAIN) * GRAIN


def dense(x):
    import numpy as np

    x = np.asarray(x, dtype=np.float64)
    return {"extents": list(x.shape), "data": x.ravel().tolist()}


# ----------------------------------------------------------------------------------------------------------------
# As PyTorch computes it.
# ----------------------------------------------------------------------------------------------------------------


def band(L, window, globals):
    import torch

    i, j = torch.arange(L)[:, None], torch.arange(L)[None, :]
    return (j <= i) & ((i - j < window) | (j < globals))


def masked(q, k, v, mask):
    import torch

    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def causal_by_features(fq, fk, v, eps):
    """Katharopoulos et al. 2020, equations 9 to 12, with cumulative sums over all tokens."""
    import torch

    S = torch.cumsum(torch.einsum("hlm,hld->hlmd", fk, v), 1)
    z = torch.cumsum(fk, 1)
    return torch.einsum("hlm,hlmd->hld", fq, S) / (torch.einsum("hlm,hlm->hl", fq, z) + eps)[..., None]


def favor(x, omega):
    """Choromanski et al. 2021, lemma 1, without stabiliser: float64 holds these exponents."""
    import torch

    y = x / x.shape[-1] ** 0.25
    return torch.exp(y @ omega.T - (y * y).sum(-1, keepdim=True) / 2)


def compute(function, t, p):
    import torch

    q, k, v = (torch.tensor(t[name], dtype=torch.float64) for name in "qkv")
    if function in ("sliding_window", "window_with_globals"):
        return {"out": dense(masked(q, k, v, band(q.shape[1], p["window"], p.get("globals", 0))))}
    if function == "linear_attention":
        return {"out": dense(causal_by_features(torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1, v, p["eps"]))}
    if function == "random_features":
        omega = torch.tensor(t["omega"], dtype=torch.float64)
        return {"out": dense(causal_by_features(favor(q, omega), favor(k, omega), v, 0.0))}
    if function == "low_rank":
        e, f = (torch.tensor(t[name], dtype=torch.float64) for name in "ef")
        return {"out": dense(masked(q, e @ k, f @ v, None))}
    mask, causal = band(q.shape[1], p["window"], p["globals"]), band(q.shape[1], q.shape[1], 0)
    exact, near = masked(q, k, v, causal), masked(q, k, v, mask)
    logits = (q @ k.transpose(1, 2) / math.sqrt(q.shape[2])).masked_fill(~causal, -math.inf)
    mass = (torch.softmax(logits, -1) * mask).sum(-1)
    pairs, kept = q.shape[0] * int(causal.sum()), q.shape[0] * int(mask.sum())
    return {"pairs_exact": float(pairs), "pairs_kept": float(kept), "share": kept / pairs,
            "flops_saved": 2.0 * (q.shape[2] + v.shape[2]) * (pairs - kept),
            "mean_mass": float(mass.mean()), "least_mass": float(mass.min()),
            "max_error": float((near - exact).abs().max()),
            "relative_error": float(torch.linalg.norm(near - exact) / torch.linalg.norm(exact))}


def vectors():
    made = []

    def add(function, name, why, H, L, D, Dv, rows=0, spread=1.0, shift=0.0, **parameters):
        tensors = {one: draw(name + one, (H, L, D), spread, shift) for one in "qk"}
        tensors["v"] = draw(name + "v", (H, L, Dv))
        if function == "random_features":
            tensors["omega"] = draw(name + "omega", (rows, D))
        if function == "low_rank":
            tensors.update({one: draw(name + one, (rows, L), 0.5) for one in "ef"})
        vector = {"name": name, "why": why, "function": function, **parameters}
        vector.update({one: dense(x) for one, x in tensors.items()})
        vector["out"] = compute(function, tensors, parameters)
        made.append(vector)

    for w, L in ((1, 6), (2, 7), (5, 13), (6, 7), (9, 9), (40, 9), (16, 31), (31, 127)):
        add("sliding_window", "window_%d_of_%d" % (w, L), "a window of %d, %d tokens" % (w, L), 2, L, 3, 4, window=w)
    add("sliding_window", "window_far", "logits of hundreds", 1, 9, 4, 2, spread=20.0, window=4)
    for w, g, L in ((3, 2, 13), (8, 4, 15), (1, 1, 9), (2, 40, 7), (3, 0, 8), (16, 5, 127)):
        add("window_with_globals", "globals_%d_%d_of_%d" % (w, g, L), "window %d, %d global tokens" % (w, g), 2, L, 3, 2,
            window=w, globals=g)
    for L, D, Dv, eps in ((1, 2, 3, 0.25), (11, 3, 4, 0.25), (9, 4, 4, 2.0**-20), (40, 3, 2, 1.0), (127, 6, 5, 2.0**-20)):
        add("linear_attention", "linear_%d_%d" % (L, Dv), "%d tokens, eps %g" % (L, eps), 3, L, D, Dv, eps=eps)
    add("linear_attention", "linear_negative", "small features", 2, 12, 3, 2, spread=0.5, shift=-2.5, eps=1.0)
    for L, rows in ((11, 5), (6, 1), (40, 12)):
        add("random_features", "random_%d_%d" % (L, rows), "%d tokens, %d features" % (L, rows), 2, L, 4, 3, rows=rows)
    for L, rows in ((11, 5), (6, 1), (3, 7), (31, 16)):
        add("low_rank", "rank_%d_of_%d" % (rows, L), "%d tokens, rank %d" % (L, rows), 2, L, 3, 4, rows=rows)
    for w, g, L in ((4, 1, 12), (2, 0, 11), (9, 0, 9), (6, 4, 10), (8, 2, 60), (3, 1, 20), (5, 0, 25), (2, 2, 16)):
        add("compare", "error_%d_%d_of_%d" % (w, g, L), "window %d, %d global tokens" % (w, g), 2, L, 4, 3, spread=1.5,
            window=w, globals=g)
    return made


def write():
    import numpy as np
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
# --verify: the definitions pair by pair, with exact sums. It shares nothing with the code above.
# ----------------------------------------------------------------------------------------------------------------


def nested(tensor):
    data, extents = tensor["data"], tensor["extents"]
    for extent in reversed(extents[1:]):
        data = [data[i : i + extent] for i in range(0, len(data), extent)]
    return data


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def softmax(logits):
    largest = max(logits)
    weights = [math.exp(s - largest) for s in logits]
    total = math.fsum(weights)
    return [w / total for w in weights]


def mix(weights, rows):
    return [dot(weights, column) for column in zip(*rows)]


def elu_and_one(x):
    return x + 1 if x > 0 else math.exp(x)


def by_definition(vector):
    function = vector["function"]
    q, k, v = (nested(vector[name]) for name in "qkv")
    scale = 1 / math.sqrt(len(q[0][0]))
    if function == "compare":
        return compared(vector, q, k, v, scale)
    out = []
    for queries, keys, values in zip(q, k, v):
        if function == "low_rank":
            keys, values = (mix_all(nested(vector[by]), x) for by, x in (("e", keys), ("f", values)))
        for i, query in enumerate(queries):
            if function in ("linear_attention", "random_features"):
                weights = [kernel(vector, query, key) for key in keys[: i + 1]]
                total = math.fsum(weights) + vector.get("eps", 0)
                out += [x / total for x in mix(weights, values[: i + 1])]
                continue
            sees = range(len(keys)) if function == "low_rank" else kept(vector, i)
            weights = softmax([scale * dot(query, keys[j]) for j in sees])
            out += mix(weights, [values[j] for j in sees])
    return {"out": out}


def mix_all(matrix, rows):
    return [mix(weights, rows) for weights in matrix]


def kept(vector, i):
    return [j for j in range(i + 1) if i - j < vector["window"] or j < vector.get("globals", 0)]


def kernel(vector, query, key):
    if vector["function"] == "linear_attention":
        return dot(map(elu_and_one, query), map(elu_and_one, key))
    root = len(query) ** 0.25
    a, b = [x / root for x in query], [x / root for x in key]
    norm = (dot(a, a) + dot(b, b)) / 2
    return math.fsum(math.exp(dot(w, a) + dot(w, b) - norm) for w in nested(vector["omega"]))


def compared(vector, q, k, v, scale):
    pairs, few, mass, apart, norm, largest = 0, 0, [], [], [], 0.0
    for queries, keys, values in zip(q, k, v):
        for i, query in enumerate(queries):
            sees, logits = kept(vector, i), [scale * dot(query, key) for key in keys[: i + 1]]
            weights = softmax(logits)
            exact = mix(weights, values[: i + 1])
            near = mix(softmax([logits[j] for j in sees]), [values[j] for j in sees])
            pairs, few = pairs + i + 1, few + len(sees)
            mass.append(math.fsum(weights[j] for j in sees))
            apart += [a - e for a, e in zip(near, exact)]
            norm += exact
    largest = max(map(abs, apart))
    return {"pairs_exact": pairs, "pairs_kept": few, "share": few / pairs,
            "flops_saved": 2 * (len(q[0][0]) + len(v[0][0])) * (pairs - few), "mean_mass": math.fsum(mass) / len(mass),
            "least_mass": min(mass), "max_error": largest,
            "relative_error": math.sqrt(dot(apart, apart) / dot(norm, norm))}


def verify():
    document = json.loads(FILE.read_text(encoding="ascii"))
    failed, worst = 0, (0.0, "-")
    for vector in document["vectors"]:
        for name, own in by_definition(vector).items():
            golden = vector["out"][name]
            golden = golden["data"] if isinstance(golden, dict) else [golden]
            own = own if isinstance(own, list) else [own]
            off = max(abs(a - b) / max(1, abs(b)) for a, b in zip(golden, own))
            worst = max(worst, (off, vector["name"] + " " + name))
            if len(golden) != len(own) or not off <= 1e-12:
                failed += 1
                print("%s: %s off by %g" % (vector["name"], name, off))
    print("%d vectors, made with %s" % (len(document["vectors"]), document["made_with"]))
    print("largest deviation: %.2g (%s)" % worst)
    print("verified" if not failed else "%d outputs failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verify", action="store_true", help="check the file instead of writing it")
    sys.exit(verify() if parser.parse_args().verify else write())
