#!/usr/bin/env python3
"""Golden vectors for GRPO: advantages, terms, loss and gradient, computed by PyTorch's autograd in float64.

    python make_golden.py            writes torch.json beside this file (needs torch)
    python make_golden.py --verify   checks the file against loops over the definitions (needs nothing but Python)

See README.md for the format, the coverage and the versions.
"""

import argparse
import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path

FILE = Path(__file__).resolve().parent / "torch.json"
SEED = 20240815
GRAIN = 64  # inputs are multiples of 1/64, for short files
AGGREGATIONS = ("sequence_mean", "token_mean", "constant")


def grained(x):
    return round(x * GRAIN) / GRAIN


# ----------------------------------------------------------------------------------------------------------------
# PyTorch
# ----------------------------------------------------------------------------------------------------------------


def torch_advantages(rewards, group_size, ddof, eps, scale):
    import torch

    r = torch.tensor(rewards, dtype=torch.float64).view(-1, group_size)
    d = r - r.mean(dim=1, keepdim=True)
    if scale:
        d = d / (r.std(dim=1, keepdim=True, correction=ddof) + eps) if group_size > ddof else d
    equal = r.amax(dim=1, keepdim=True) == r.amin(dim=1, keepdim=True)
    return torch.where(equal, torch.zeros_like(d), d).flatten().tolist()


def torch_loss(v):
    import torch

    def tensor(rows):
        return torch.tensor([[math.nan if x is None else x for x in row] for row in rows], dtype=torch.float64)

    mask = torch.tensor(v["mask"], dtype=torch.bool)
    leaf = tensor(v["lp_new"]).requires_grad_(True)
    zero = torch.zeros_like(leaf)
    new = torch.where(mask, leaf, zero)
    old = torch.where(mask, tensor(v["lp_old"]), zero) if v["lp_old"] else new.detach()
    A = torch.tensor(v["advantage"], dtype=torch.float64)[:, None]
    limit = v["log_ratio_limit"]
    ratio = torch.exp(torch.clamp(new - old, -limit, limit))
    clipped = torch.clamp(ratio, 1 - v["clip_low"], 1 + v["clip_high"])
    objective = torch.min(ratio * A, clipped * A)
    if v["lp_ref"] and v["beta"] != 0:
        d = torch.clamp(torch.where(mask, tensor(v["lp_ref"]), zero) - new, -limit, limit)
        objective = objective - v["beta"] * (torch.exp(d) - d - 1)
    terms = torch.where(mask, objective, zero)
    if v["how"] == "sequence_mean":
        loss = -(terms.sum(1) / mask.sum(1).clamp(min=1)).mean()
    elif v["how"] == "token_mean":
        loss = -terms.sum() / mask.sum().clamp(min=1)
    else:
        loss = -terms.sum() / (len(v["mask"]) * v["longest"])
    loss.backward()
    gradient = torch.where(mask, leaf.grad, zero)
    return {"terms": terms.tolist(), "loss": loss.item(), "lp_new_grad": gradient.tolist()}


# ----------------------------------------------------------------------------------------------------------------
# The vectors
# ----------------------------------------------------------------------------------------------------------------


def advantages_vectors():
    rng = random.Random(SEED)
    drawn = [grained(rng.gauss(0, 2)) for _ in range(12)]
    verified = [1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1]
    equal = [0.1, 0.1, 0.1, 1, 2, 4]
    conventions = {  # name: ddof, eps, scale
        "paper": (0, 0.0, True),  # DeepSeekMath: (r - mean) / std
        "trl": (1, 1e-4, True),  # TRL: torch's std, 1e-4 added
        "dr_grpo": (0, 0.0, False),  # Dr. GRPO: r - mean
        "large_eps": (0, 0.1, True),
    }
    made = []
    for name, (ddof, eps, scale) in conventions.items():
        for what, rewards, size in (("drawn", drawn, 4), ("threes", drawn, 3), ("verified", verified, 6),
                                    ("equal", equal, 3), ("far", [1000 + x for x in drawn], 6),
                                    ("singletons", drawn[:3], 1)):
            rule = {"group_size": size, "ddof": ddof, "eps": eps, "scale": scale}
            made.append({"name": name + "/" + what, "function": "advantages", "rewards": rewards, **rule,
                         "out": {"advantage": torch_advantages(rewards, **rule)}})
    return made


def batch(rng, N, T, how, on_policy, kl, mask=None, **rule):
    """Log-ratios of size 0.3, a reference at a distance of 0.5; no ratio near an end of the clip interval."""
    v = {"function": "loss", "how": how, "clip_low": 0.2, "clip_high": 0.2, "log_ratio_limit": 20.0,
         "beta": 0.25 if kl else 0.0, "longest": T + 2}
    v.update(rule)
    edges = (1 - v["clip_low"], 1 + v["clip_high"])

    def ratio():
        while True:
            d = grained(rng.gauss(0, 0.3))
            if min(abs(math.exp(d) - e) for e in edges) > 2e-3:
                return d

    old = [[grained(-rng.uniform(1.5, 4)) for _ in range(T)] for _ in range(N)]
    v["lp_new"] = [[x + ratio() for x in row] for row in old]
    v["lp_old"] = None if on_policy else old
    v["lp_ref"] = [[x + grained(rng.gauss(0, 0.4)) for x in row] for row in v["lp_new"]] if kl else None
    v["advantage"] = [grained(rng.uniform(0.25, 2)) * (1 if n % 2 == 0 else -1) for n in range(N)]
    v["mask"] = mask or [[True] * T for _ in range(N)]
    return v


def lengths(of, T):
    return [[t < length for t in range(T)] for length in of]


def hide(v):
    """NaN (null in the file) under the mask."""
    for name in ("lp_new", "lp_old", "lp_ref"):
        if v[name]:
            v[name] = [[x if m else None for x, m in zip(row, ms)] for row, ms in zip(v[name], v["mask"])]
    return v


def loss_vectors():
    made = []

    def add(name, v):
        made.append({"name": name, **v, "out": torch_loss(v)})

    for how in AGGREGATIONS:
        for kl in (False, True):
            for on_policy in (False, True):
                name = "%s/%s/%s" % (how, "kl" if kl else "no_kl", "on_policy" if on_policy else "off_policy")
                rng = random.Random(name)
                add(name, batch(rng, 3, 4, how, on_policy, kl, lengths([3, 1, 2], 4)))
    for how in AGGREGATIONS:
        rng = random.Random("more" + how)
        add("empty/" + how, batch(rng, 3, 3, how, False, True, lengths([2, 0, 3], 3)))
        add("no_token/" + how, hide(batch(rng, 2, 2, how, False, True, lengths([0, 0], 2))))
        holes = [[True, False, True, True, False], [False, True, True, False, False]]
        add("holes/" + how, hide(batch(rng, 2, 5, how, False, True, holes)))
        add("full/" + how, batch(rng, 4, 8, how, False, False))
    rng = random.Random("rules")
    add("clip_higher", batch(rng, 4, 6, "token_mean", False, False, clip_high=0.28))
    add("wide_clip", batch(rng, 4, 6, "sequence_mean", False, True, clip_low=0.5, clip_high=2.0, beta=0.04))
    far = batch(rng, 2, 4, "sequence_mean", False, True, log_ratio_limit=5.0)
    far["lp_old"][0][0], far["lp_old"][1][0] = far["lp_new"][0][0] - 7, far["lp_new"][1][0] - 7
    far["lp_old"][0][1] = far["lp_new"][0][1] + 1.5
    far["lp_ref"][0][2], far["lp_ref"][1][3] = far["lp_new"][0][2] - 9, far["lp_new"][1][3] + 1.5
    far["lp_new"][1][1], far["lp_ref"][1][1] = -12.0, -2.0
    add("beyond_limit", far)
    return made


def write():
    import torch

    torch.set_num_threads(1)
    made = advantages_vectors() + loss_vectors()
    assert len({v["name"] for v in made}) == len(made)

    def compact(value):
        return json.dumps(value, separators=(",", ":"), allow_nan=False)

    FILE.write_text('{"made_with":%s,"vectors":[\n%s\n]}\n'
                    % (compact({"torch": torch.__version__}), ",\n".join(map(compact, made))), encoding="ascii")
    print("%s: %d vectors, %d bytes" % (FILE.name, len(made), FILE.stat().st_size))


# ----------------------------------------------------------------------------------------------------------------
# --verify: the definitions token by token, statistics exact. It shares nothing with the code above.
# ----------------------------------------------------------------------------------------------------------------


def advantages_by_definition(v):
    out, G = [], v["group_size"]
    for first in range(0, len(v["rewards"]), G):
        group = [Fraction(r) for r in v["rewards"][first:first + G]]
        mean = sum(group) / G
        if len(set(group)) == 1:
            out += [0.0] * G
            continue
        variance = sum((r - mean) ** 2 for r in group) / (G - v["ddof"])
        divisor = math.sqrt(variance) + v["eps"] if v["scale"] else 1
        out += [float(r - mean) / divisor for r in group]
    return {"advantage": out}


def loss_by_definition(v):
    N, T = len(v["mask"]), len(v["mask"][0])
    limit, tokens = v["log_ratio_limit"], sum(map(sum, v["mask"]))
    terms, gradient, weighted = [], [], []
    for n in range(N):
        length = sum(v["mask"][n])
        divisor = {"sequence_mean": N * length, "token_mean": tokens, "constant": N * v["longest"]}[v["how"]]
        row, slopes = [], []
        for t in range(T):
            if not v["mask"][n][t]:
                row.append(0.0)
                slopes.append(0.0)
                continue
            new, A = v["lp_new"][n][t], v["advantage"][n]
            d = new - (v["lp_old"][n][t] if v["lp_old"] else new)
            r = math.exp(min(max(d, -limit), limit))
            if A > 0 and r > 1 + v["clip_high"]:
                term, slope = (1 + v["clip_high"]) * A, 0.0
            elif A < 0 and r < 1 - v["clip_low"]:
                term, slope = (1 - v["clip_low"]) * A, 0.0
            else:
                term, slope = r * A, r * A if abs(d) <= limit else 0.0
            if v["lp_ref"] and v["beta"]:
                k = v["lp_ref"][n][t] - new
                c = min(max(k, -limit), limit)
                term -= v["beta"] * (math.expm1(c) - c)
                slope += v["beta"] * math.expm1(k) if abs(k) <= limit else 0.0
            row.append(term)
            slopes.append(-slope / divisor)
            weighted.append(term / divisor)
        terms.append(row)
        gradient.append(slopes)
    return {"terms": terms, "loss": -math.fsum(weighted), "lp_new_grad": gradient}


def flat(value):
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def verify():
    document = json.loads(FILE.read_text(encoding="ascii"))
    failed, worst = 0, (0.0, "-")
    for v in document["vectors"]:
        own = advantages_by_definition(v) if v["function"] == "advantages" else loss_by_definition(v)
        assert own.keys() == v["out"].keys()
        for name, values in own.items():
            pairs = list(zip(flat(values), flat(v["out"][name]), strict=True))
            off = max(abs(a - b) / max(1, abs(a)) for a, b in pairs)
            worst = max(worst, (off, v["name"] + " " + name))
            if not off <= v.get("tolerance", 1e-12):
                failed += 1
                print("%s: %s off by %g" % (v["name"], name, off))
    print("%d vectors, made with %s" % (len(document["vectors"]), document["made_with"]))
    print("largest deviation: %.2g (%s)" % worst)
    print("verified" if not failed else "%d outputs failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verify", action="store_true", help="check the file instead of writing it")
    sys.exit(verify() if parser.parse_args().verify else write())
