"""The model answer in Python: heads are taken out as nested lists, arithmetic is in float64 and rounded once where it is
written."""

import math

from contract import comparison, cost, crossing, method


def product(a, b):
    return a * b


def dot(a, b):
    return sum(map(product, a, b))


# Levels costs and crossover.


def state_flops(D, m):
    return 4.0 * m * D + 3.0 * m


def map_flops(D, m):
    return 4.0 * D * m + 4.0 * D


def state_elements(D, m):
    return m * D + m + 2.0 * m


def in_range(how, s):
    if min(s.tokens, s.heads, s.head_dim, s.element_bytes) < 1:
        return False
    if how == method.blockwise:
        return s.block >= 1 and s.tokens % s.block == 0
    if how == method.window:
        return s.window >= 1
    if how == method.low_rank:
        return s.rank >= 1
    return how != method.random_features or s.features >= 1


def cost_of(how, layer):
    if not in_range(how, layer):
        return cost()
    L, H, D = float(layer.tokens), float(layer.heads), float(layer.head_dim)
    pairs = prepare = scores = values = 0.0
    if how == method.naive:
        pairs = exps = L * L
        elements, live = 4 * L * D + 4 * L * L, 2 * L * L
    elif how == method.blockwise:
        B = float(layer.block)
        blocks = L / B * (L / B + 1) / 2
        pairs = blocks * B * B
        exps = pairs + blocks * B
        elements, live = 2 * L * D + 2 * B * D * blocks, B * B + B * D + 2 * B
    elif how == method.window:
        w = min(float(layer.window), L)
        pairs = exps = w * L - w * (w - 1) / 2
        elements, live = 4 * L * D, w * (2 * D + 1)
    elif how == method.low_rank:
        r = float(layer.rank)
        pairs = exps = L * r
        prepare = 4 * L * r * D
        elements, live = 4 * L * D + 2 * L * r + 4 * r * D, 2 * r * D + r
    else:
        random = how == method.random_features
        m = float(layer.features) if random else D
        prepare = L * map_flops(D, m) if random else 0.0
        scores, values = L * (2 * m * D + m), L * (2 * m * D + 2 * m)
        exps = 2 * L * m
        elements, live = 4 * L * D + (m * D if random else 0), state_elements(D, m)
    if pairs:
        scores = values = 2 * D * pairs
    flops = H * (prepare + scores + values)
    moved, peak = (H * layer.element_bytes * n for n in (elements, live))
    return cost(H * pairs, H * prepare, H * scores, H * values, flops, H * exps, moved, peak, flops / moved)


def crossover(head_dim, rank, features):
    if min(head_dim, rank, features) < 1:
        return crossing()
    D, r, m = float(head_dim), float(rank), float(features)
    naive = 4 * D
    low_rank, linear, random = 8 * r * D, state_flops(D, D), state_flops(D, m) + map_flops(D, m)
    equal = [low_rank / naive, linear / naive, random / naive, math.sqrt(state_elements(D, D) / 2), m * (D + 1) / (2 * D)]
    return crossing(naive, low_rank, linear, random, *(x for at in equal for x in (at, math.floor(at) + 1.0)))


# Softmax over some keys.


def weights_of(query, keys):
    scale = 1 / math.sqrt(len(query))
    logits = [scale * dot(query, key) for key in keys]
    largest = max(logits)
    return [math.exp(s - largest) for s in logits]


def mixed(weights, values):
    total = sum(weights)
    return [dot(weights, column) / total for column in zip(*values)]


def reach(i, window, globals):
    """The first key of the window, and how many global keys lie before it."""
    low = max(i - window + 1, 0)
    return low, min(globals, low)


def window_with_globals(q, k, v, window, globals, out):
    for h in range(q.shape[0]):
        queries, keys, values = q[h].tolist(), k[h].tolist(), v[h].tolist()
        for i, query in enumerate(queries):
            low, before = reach(i, window, globals)
            weights = weights_of(query, keys[:before] + keys[low : i + 1])
            out[h, i] = mixed(weights, values[:before] + values[low : i + 1])


def sliding_window(q, k, v, window, out):
    window_with_globals(q, k, v, window, 0, out)


def low_rank(q, k, v, e, f, out):
    for h in range(q.shape[0]):
        keys, values = ([[dot(row, column) for column in zip(*x)] for row in by.tolist()]
                        for by, x in ((e, k[h].tolist()), (f, v[h].tolist())))
        for i, query in enumerate(q[h].tolist()):
            out[h, i] = mixed(weights_of(query, keys), values)


# Through a running state.


def accumulate(queries, keys, values, out, h, eps, grown=None):
    """Features of queries and keys. grown[i]: what the state is multiplied by before key i is added."""
    width = len(values[0])
    state = [[0.0] * (width + 1) for _ in keys[0]]  # the last column sums the features
    for i, (query, key, value) in enumerate(zip(queries, keys, values)):
        factor = grown[i] if grown else 1.0
        for row, f in zip(state, key):
            for d in range(width):
                row[d] = factor * row[d] + f * value[d]
            row[width] = factor * row[width] + f
        *sums, normaliser = (dot(query, column) for column in zip(*state))
        out[h, i] = [s / (normaliser + eps) for s in sums]


def linear_attention(q, k, v, eps, out):
    def features(rows):
        return [[x + 1 if x > 0 else math.exp(x) for x in row] for row in rows]

    for h in range(q.shape[0]):
        accumulate(features(q[h].tolist()), features(k[h].tolist()), v[h].tolist(), out, h, eps)


def random_features(q, k, v, omega, out):
    directions, temperature = omega.tolist(), q.shape[2] ** 0.25

    def exponents(row):
        y = [x / temperature for x in row]
        norm = dot(y, y) / 2
        return [dot(w, y) - norm for w in directions]

    for h in range(q.shape[0]):
        queries = []
        for row in map(exponents, q[h].tolist()):
            largest = max(row)  # cancels in the quotient
            queries.append([math.exp(x - largest) for x in row])
        keys, grown, shift = [], [], -math.inf
        for row in map(exponents, k[h].tolist()):
            top = max(shift, max(row))
            grown.append(math.exp(shift - top))
            keys.append([math.exp(x - top) for x in row])
            shift = top
        accumulate(queries, keys, v[h].tolist(), out, h, 0.0, grown)


# Error beside cost.


def compare(q, k, v, window, globals):
    H, L, D = q.shape
    exact_pairs, kept_pairs = H * L * (L + 1) / 2, 0
    masses, largest, apart, norm = [], 0.0, 0.0, 0.0
    for h in range(H):
        queries, keys, values = q[h].tolist(), k[h].tolist(), v[h].tolist()
        for i, query in enumerate(queries):
            low, before = reach(i, window, globals)
            kept_pairs += before + i - low + 1
            weights = weights_of(query, keys[: i + 1])
            masses.append(sum(weights[:before] + weights[low:]) / sum(weights))
            exact = mixed(weights, values)
            few = weights_of(query, keys[:before] + keys[low : i + 1])
            near = mixed(few, values[:before] + values[low : i + 1])
            for a, b in zip(near, exact):
                largest = max(largest, abs(a - b))
                apart += (a - b) ** 2
                norm += b * b
    return comparison(
        exact_pairs,
        kept_pairs,
        kept_pairs / exact_pairs,
        2 * (D + v.shape[2]) * (exact_pairs - kept_pairs),
        sum(masses) / len(masses),
        min(masses),
        largest,
        math.sqrt(apart / norm),
    )
