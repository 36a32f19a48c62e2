"""Plain Python: each rank works on nested lists, which the collectives take as they are."""

import math

from contract import bubble, schedule, share, traffic


def shard(group, w1, b1, w2, w1_part, b1_part, w2_part):
    width = b1_part.shape[0]
    first = group.rank() * width
    for j in range(width):
        unit = first + j
        exists = unit < b1.shape[0]
        for i in range(w1.shape[0]):
            w1_part[i, j] = w1[i, unit] if exists else 0
        b1_part[j] = b1[unit] if exists else 0
        w2_part[j] = w2[unit].tolist() if exists else 0


def partial_sums(x, w1, b1, w2):
    """Of this rank's hidden units: a summand of y, without b2."""
    columns = list(zip(*w1.tolist())) if w1.shape[0] else [()] * w1.shape[1]
    biases, outward = b1.tolist(), list(zip(*w2.tolist()))
    sums = []
    for row in x:
        before = [sum(a * b for a, b in zip(row, column)) + bias for column, bias in zip(columns, biases)]
        hidden = [max(z, 0.0) ** 2 for z in before]
        sums.append([sum(a * b for a, b in zip(hidden, column)) for column in outward])
    return sums


def write(y, sums, b2):
    for t, row in enumerate(sums):
        y[t] = [a + b for a, b in zip(row, b2)]


def forward(group, x, w1_part, b1_part, w2_part, b2, y):
    sums = partial_sums(x.tolist(), w1_part, b1_part, w2_part)
    group.all_reduce(sums)
    write(y, sums, b2.tolist())


def sequence(group, x_part, w1_part, b1_part, w2_part, b2, y_part):
    rows, width = x_part.shape
    x = [[0.0] * width for _ in range(rows * group.size())]
    group.all_gather(x_part, x)
    mine = [[0.0] * width for _ in range(rows)]
    group.reduce_scatter(partial_sums(x, w1_part, b1_part, w2_part), mine)
    write(y_part, mine, b2.tolist())


def is_count(value, least=1):
    return least <= value <= 2**53


def count_traffic(ffn):
    if not all(map(is_count, (ffn.tokens, ffn.d_model, ffn.hidden, ffn.ranks, ffn.element_bytes))):
        return traffic()
    n = ffn.ranks
    width = -(-ffn.hidden // n)
    whole = ffn.element_bytes * ffn.tokens * ffn.d_model
    once = (n - 1) * whole / n
    return traffic(
        weights=ffn.element_bytes * (2 * ffn.d_model * width + width + ffn.d_model),
        activations=whole,
        all_reduce=2 * once,
        all_gather=once,
        reduce_scatter=once,
        sequence=2 * once,
        gathered_sums=(n - 1) * whole,
        rows_first=2 * (n - 1) * ffn.element_bytes * ffn.tokens * ffn.hidden / n + once,
    )


def count_bubble(plan):
    p, m, s = plan.stages, plan.micro_batches, plan.stage
    known = plan.kind in tuple(schedule) and plan.of in tuple(share)
    if not known or not is_count(p) or not is_count(m) or not 0 <= s < p or not is_count(plan.activation_bytes, 0):
        return bubble()
    if not all(math.isfinite(t) and t > 0 for t in (plan.forward_time, plan.backward_time)):
        return bubble()
    step = plan.forward_time + plan.backward_time
    useful, idle = m * step, (p - 1) * step
    live = min(m, p - s) if plan.kind == schedule.one_f_one_b else m
    return bubble(
        useful=useful,
        idle=idle,
        makespan=useful + idle,
        fraction=idle / (useful if plan.of == share.of_useful else useful + idle),
        peak_live=live,
        peak_bytes=live * plan.activation_bytes,
    )


def write_schedule(kind, stages, micro_batches, order):
    for s in range(stages):
        ahead = micro_batches if kind == schedule.gpipe else min(micro_batches, stages - s)
        row = list(range(1, ahead + 1))
        for k in range(1, micro_batches + 1):
            row.append(-k)
            if ahead + k <= micro_batches:
                row.append(ahead + k)
        order[s] = row
