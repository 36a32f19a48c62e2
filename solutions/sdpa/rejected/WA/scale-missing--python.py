"""The scale is left out, in Python."""

import math


def attention(q, k, v, mask, causal, scale, out):
    group = q.shape[1] // k.shape[1]
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            keys, values = k[b, h // group].tolist(), v[b, h // group].tolist()
            for i, query in enumerate(q[b, h].tolist()):
                weights = [math.exp(sum(x * y for x, y in zip(query, key))) for key in keys]
                total = sum(weights)
                out[b, h, i] = [sum(w * x for w, x in zip(weights, column)) / total for column in zip(*values)]
