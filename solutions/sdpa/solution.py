"""The model answer in Python: every tensor is taken out as nested lists first, which is several times faster than reading
t[i, j]. Arithmetic is in float64, and rounded once where it is written."""

import math


def attend(q, k, v, mask, causal, scale, out, slopes=None, window=0):
    group = max(1, q.shape[1] // max(1, k.shape[1]))
    keys = k.shape[2]
    if scale is None:
        scale = 1 / math.sqrt(q.shape[3])
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            all_k, all_v = k[b, h // group].tolist(), v[b, h // group].tolist()
            for i, query in enumerate(q[b, h]):
                query = query.tolist()
                may = allowed(mask, b, h, i, keys)
                here = i + keys - q.shape[2]
                near = [
                    j
                    for j in range(keys)
                    if may[j] and (not causal or j <= here) and (window == 0 or abs(here - j) < window)
                ]
                logits = [scale * sum(map(product, query, all_k[j])) for j in near]
                if slopes is not None:
                    logits = [logit - slopes[h] * abs(here - j) for logit, j in zip(logits, near)]
                out[b, h, i] = weighted(logits, [all_v[j] for j in near], v.shape[3])


def product(a, b):
    return a * b


def allowed(mask, b, h, i, keys):
    if mask is None:
        return [True] * keys
    at = [index if extent > 1 else 0 for index, extent in zip((b, h, i), mask.shape)]
    row = mask[at[0], at[1], at[2]].tolist() if mask.size else []
    return row if len(row) == keys else row * keys


def weighted(logits, rows, width):
    """The rows under the softmax of the logits; 0 where there are none."""
    if not logits:
        return [0.0] * width
    weights = softmax(logits)
    return [sum(map(product, weights, column)) for column in zip(*rows)]


def softmax(logits):
    largest = max(logits, default=0.0)
    weights = [math.exp(logit - largest) for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]


def attention(q, k, v, mask, causal, scale, out):
    attend(q, k, v, mask, causal, scale, out)


attention_f16 = attention_bf16 = attention_f16_stored = attention_bf16_stored = attention


def attention_biased(q, k, v, mask, causal, scale, slopes, window, out):
    attend(q, k, v, mask, causal, scale, out, slopes, window)


def attention_backward(q, k, v, mask, causal, scale, dout, dq, dk, dv):
    group = max(1, q.shape[1] // max(1, k.shape[1]))
    keys = k.shape[2]
    if scale is None:
        scale = 1 / math.sqrt(q.shape[3])
    for b in range(q.shape[0]):
        for g in range(k.shape[1]):
            all_k, all_v = k[b, g].tolist(), v[b, g].tolist()
            sum_k, sum_v = [[0.0] * k.shape[3] for _ in all_k], [[0.0] * v.shape[3] for _ in all_v]
            for h in range(g * group, (g + 1) * group):
                rows = zip(q[b, h].tolist(), dout[b, h].tolist())
                for i, (query, dout_row) in enumerate(rows):
                    may = allowed(mask, b, h, i, keys)
                    here = i + keys - q.shape[2]
                    near = [j for j in range(keys) if may[j] and (not causal or j <= here)]
                    weights = softmax([scale * sum(map(product, query, all_k[j])) for j in near])
                    dp = [sum(map(product, dout_row, all_v[j])) for j in near]
                    delta = sum(map(product, weights, dp))
                    row = [0.0] * len(query)
                    for j, p, x in zip(near, weights, dp):
                        ds = scale * p * (x - delta)
                        row = added(row, ds, all_k[j])
                        sum_k[j] = added(sum_k[j], ds, query)
                        sum_v[j] = added(sum_v[j], p, dout_row)
                    dq[b, h, i] = row
            if keys > 0:
                dk[b, g], dv[b, g] = sum_k, sum_v


def added(row, factor, other):
    return [x + factor * y for x, y in zip(row, other)]


# A row of the state: the largest logit so far, the sum of exp(logit - largest), and the values under these weights.


def begin(state):
    for i in range(state.shape[0]):
        state[i] = [-math.inf] + [0.0] * (state.shape[1] - 1)


def absorb(state, q, k, v, mask, scale):
    all_k, all_v = k.tolist(), v.tolist()
    for i, query in enumerate(q.tolist()):
        row = state[i].tolist()
        for j, key in enumerate(all_k):
            if mask[i, j]:
                logit = scale * sum(map(product, query, key))
                row = joined(row, [logit, 1.0] + all_v[j] + [0.0, 0.0])
        state[i] = row


def merge(into, from_):
    for i in range(into.shape[0]):
        into[i] = joined(into[i].tolist(), from_[i].tolist())


def joined(a, b):
    largest = max(a[0], b[0])
    if largest == -math.inf:
        return a
    keep, take = math.exp(a[0] - largest), math.exp(b[0] - largest)
    return [largest] + [keep * x + take * y for x, y in zip(a[1:], b[1:])]


def finish(state, out):
    for i in range(out.shape[0]):
        row = state[i].tolist()
        out[i] = [x / row[1] if row[1] > 0 else 0.0 for x in row[2 : 2 + out.shape[1]]]
