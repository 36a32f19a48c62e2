#!/usr/bin/env python3
"""Golden vectors for the exercise p_yes, computed by PyTorch in float64.

    python make_golden.py            writes torch.json beside this file (needs torch)
    python make_golden.py --verify   checks that file against plain Python (needs nothing)

See README.md for the format and the coverage.
"""

import argparse
import json
import math
import random
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 20240611


def number(x):
    """JSON has no infinities: they are strings."""
    return x if math.isfinite(x) else ("inf" if x > 0 else "-inf")


def value(x):
    return float(x)  # float("-inf") is one


def draw(name):
    return random.Random(SEED * 2**32 + zlib.crc32(name.encode()))


def rounded(x, dtype):
    import torch

    return torch.tensor(x, dtype=torch.float64).to(getattr(torch, dtype)).to(torch.float64).item()


# ----------------------------------------------------------------------------------------------------------------
# Rows: the seed's formula, as torch computes it.
# ----------------------------------------------------------------------------------------------------------------


def row_vector(name, why, logits, yes, no, dtype="float32"):
    import torch

    logits = [[rounded(x, dtype) for x in row] for row in logits]
    lp = torch.tensor(logits, dtype=torch.float64).log_softmax(-1)
    ly, ln = torch.logsumexp(lp[:, yes], -1), torch.logsumexp(lp[:, no], -1)
    out = {"log_yes": ly, "log_no": ln, "p": torch.sigmoid(ly - ln), "mass": ly.exp() + ln.exp()}
    vector = {"name": name, "why": why, "dtype": dtype, "logits": [[number(x) for x in row] for row in logits],
              "yes": yes, "no": no}
    for field, tensor in out.items():
        vector[field] = [number(x) for x in tensor.tolist()]
    return vector


def row_vectors():
    banned = -math.inf
    vectors = []

    def add(*arguments, **options):
        vectors.append(row_vector(*arguments, **options))

    def normal(name, why, rows, tokens, yes, no, spread=1.0, offset=0.0, dtype="float32"):
        rng = draw(name)
        add(name, why, [[offset + spread * rng.gauss(0, 1) for _ in range(tokens)] for _ in range(rows)], yes, no, dtype)

    logs = [math.log(x) for x in (0.2, 0.15, 0.3, 0.1, 0.25)]
    add("worked", "yes .2 and .1, no .3: p = .5", [logs], [0, 3], [2])
    normal("normal", "five rows over 23 tokens, groups of three and four", 5, 23, [4, 0, 19], [7, 22, 3, 11])
    normal("one_each", "one id a group", 4, 6, [5], [0])
    normal("everything", "the two groups are the whole vocabulary: mass 1", 3, 5, [1, 3], [0, 2, 4])
    normal("wide", "wide logits", 4, 17, [2, 3], [5, 16, 1], spread=40)
    for offset in (1e4, -1e4):
        normal("offset_%+g" % offset, "logits near %g" % offset, 3, 9, [8, 2], [0, 4, 5], offset=offset)
        normal("half_offset_%+g" % offset, "float16 logits near %g" % offset, 3, 9, [8, 2], [0, 4, 5], spread=16,
               offset=offset, dtype="float16")
    add("both_far_below", "0, -200, -201: p = sigmoid(1)", [[0, -200, -201]], [1], [2])
    add("far_apart", "150 apart, and 20000", [[75, -75, 0], [-75, 75, 0], [1e4, -1e4, 0], [-1e4, 1e4, 0]], [0], [1])
    add("small_p", "small p keeps its digits", [[-30, 0, -4], [-80, 1, 0], [-700, 0, 3]], [0], [1])
    add("banned", "banned tokens: of yes, of no, of one of yes, elsewhere",
        [[banned, 1, 0.5, banned, 2], [0.25, banned, 0.5, -1, banned], [banned, 1, 0.5, 0.75, 3],
         [0, 1, banned, 0.75, 3]], [0, 3], [1, 4])
    add("half_largest", "float16's largest number", [[65504, 65472, -65504, 65440, banned]], [0, 4], [1, 3],
        dtype="float16")
    return vectors


# ----------------------------------------------------------------------------------------------------------------
# Fits: torch's L-BFGS in float64, polished by Newton steps on torch's own derivatives.
# ----------------------------------------------------------------------------------------------------------------


def fit_by_torch(z, y, w, start, logits_of):
    import torch

    z, y, w = (torch.tensor(x, dtype=torch.float64) for x in (z, y, w))

    def loss_of(parameters):
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits_of(parameters, z), y, reduction="none")
        return (w * losses).sum() / w.sum()

    parameters = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([parameters], lr=1, max_iter=500, tolerance_grad=1e-12, tolerance_change=1e-16,
                                  line_search_fn="strong_wolfe")

    def closure():
        optimiser.zero_grad()
        loss = loss_of(parameters)
        loss.backward()
        return loss

    optimiser.step(closure)
    found = parameters.detach()
    for _ in range(3):
        gradient = torch.func.grad(loss_of)(found)
        found = found - torch.linalg.solve(torch.func.hessian(loss_of)(found), gradient)
    return found.tolist(), loss_of(found).item(), torch.func.grad(loss_of)(found).abs().max().item()


def fit_vector(name, why, z, y, w):
    import torch

    tensors = [torch.tensor(x, dtype=torch.float64) for x in (z, y, w)]
    raw = torch.nn.functional.binary_cross_entropy_with_logits(tensors[0], tensors[1], weight=tensors[2],
                                                               reduction="sum") / tensors[2].sum()
    (beta,), t_loss, t_gradient = fit_by_torch(z, y, w, [1.0], lambda t, x: t[0] * x)
    (a, b), p_loss, p_gradient = fit_by_torch(z, y, w, [0.0, 0.0], lambda t, x: t[0] * x + t[1])
    assert beta > 0 and t_gradient < 1e-13 and p_gradient < 1e-13, (name, beta, t_gradient, p_gradient)
    return {"name": name, "why": why, "scores": z, "labels": y, "weights": w, "raw_loss": raw.item(),
            "temperature": 1 / beta, "temperature_loss": t_loss, "slope": a, "intercept": b, "platt_loss": p_loss}


def fit_vectors():
    vectors = [fit_vector("ten", "ten scores that are surer than right",
                          [3.5, -2, 1.25, 4, -0.5, -3, 0.75, 2.5, -1.5, 0.25], [1, 0, 0, 1, 1, 0, 1, 0, 0, 1],
                          [2, 1, 0.5, 1, 1.5, 0.75, 1, 1.25, 2, 0.5]),
               fit_vector("sure_and_wrong", "a score of 40 that is wrong", [40, 3, -2, 1, -4, 5, 0.5],
                          [0, 1, 0, 1, 0, 1, 0], [0.25, 2, 1, 1.5, 2, 1, 1])]
    for name, n, gain, shift in (("sharp", 60, 2.5, 0.0), ("flat", 60, 0.3, 0.0), ("shifted", 80, 0.8, -1.5)):
        rng = draw(name)
        z = [round(2 * rng.gauss(0, 1), 6) for _ in range(n)]
        y = [1 if rng.random() < 1 / (1 + math.exp(-(gain * x + shift))) else 0 for x in z]
        vectors.append(fit_vector(name, "labels drawn with slope %g and intercept %g" % (gain, shift), z, y,
                                  [rng.choice([0.25, 0.5, 1, 2]) for _ in range(n)]))
    return vectors


# ----------------------------------------------------------------------------------------------------------------
# The check, in plain Python: no log-sum-exp, exact rational sums where it can be.
# ----------------------------------------------------------------------------------------------------------------


def verify():
    document = json.loads((HERE / "torch.json").read_text(encoding="ascii"))
    worst = 0.0
    for vector in document["rows"]:
        for b, row in enumerate([[value(x) for x in row] for row in vector["logits"]]):
            def share(of, against):
                total = sum(sum(math.exp(min(row[j] - row[i], 700)) for j in against) ** -1
                            for i in of if row[i] > -math.inf)
                return total
            both = vector["yes"] + vector["no"]
            everything = range(len(row))
            p, mass = share(vector["yes"], both), share(both, everything)
            for name, mine in (("p", p), ("mass", mass)):
                theirs = value(vector[name][b])
                off = abs(mine - theirs) / max(theirs, 1e-300)
                if not off <= 1e-12 and not (theirs < 1e-290 and mine < 1e-290):
                    raise SystemExit("%s row %d: %s is %r, not %r" % (vector["name"], b, name, theirs, mine))
                worst = max(worst, off if theirs > 1e-290 else 0)
    for vector in document["fits"]:
        z, y, w = vector["scores"], vector["labels"], vector["weights"]

        def loss(a, b):
            terms = [wi * (math.log1p(math.exp(-abs(a * zi + b))) + max(a * zi + b, 0) - yi * (a * zi + b))
                     for zi, yi, wi in zip(z, y, w)]
            return math.fsum(terms) / math.fsum(w)

        beta = 1 / vector["temperature"]
        checks = [(loss(1, 0), vector["raw_loss"]), (loss(beta, 0), vector["temperature_loss"]),
                  (loss(vector["slope"], vector["intercept"]), vector["platt_loss"])]
        for mine, theirs in checks:
            if not abs(mine - theirs) <= 1e-13:
                raise SystemExit("%s: a loss of %r, not %r" % (vector["name"], theirs, mine))
        for step in (1e-4, -1e-4):  # a minimum: every way leads up
            assert loss(beta + step, 0) > vector["temperature_loss"]
            assert loss(vector["slope"] + step, vector["intercept"]) > vector["platt_loss"]
            assert loss(vector["slope"], vector["intercept"] + step) > vector["platt_loss"]
            assert loss(vector["slope"] + step, vector["intercept"] - step) > vector["platt_loss"]
    print("%d rows and %d fits are right; relative error of p and mass at most %.2g"
          % (sum(len(v["p"]) for v in document["rows"]), len(document["fits"]), worst))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verify", action="store_true")
    if parser.parse_args().verify:
        return verify()
    import torch

    def compact(x):
        return json.dumps(x, separators=(",", ":"), allow_nan=False)

    def lines(vectors):
        return ",\n".join(compact(v) for v in vectors)

    rows, fits = row_vectors(), fit_vectors()
    path = HERE / "torch.json"
    path.write_text('{"made_with":%s,"rows":[\n%s\n],"fits":[\n%s\n]}\n'
                    % (compact({"torch": torch.__version__}), lines(rows), lines(fits)), encoding="ascii")
    print("%s: %d rows vectors, %d fits, %d bytes" % (path.name, len(rows), len(fits), path.stat().st_size))


if __name__ == "__main__":
    sys.exit(main())
