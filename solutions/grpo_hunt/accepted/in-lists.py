# The loss in lists: a list a sequence, from generator to generator.
import math

from assay import Var, clamp, exp, log, max, min


def log_softmax(row, temperature):
    scaled = [logit / temperature for logit in row]
    top = max([x.value() for x in scaled])
    total = Var(0)
    for x in scaled:
        total = total + exp(x - top)
    return [x - top - log(total) for x in scaled]


def advantages(group, rule):
    if max(group) == min(group):
        return [0.0] * len(group)
    mean = math.fsum(group) / len(group)
    if not rule.scale:
        return [r - mean for r in group]
    variance = math.fsum((r - mean) ** 2 for r in group) / (len(group) - rule.ddof)
    return [(r - mean) / (math.sqrt(variance) + rule.eps) for r in group]


def total_of(numbers):
    total = Var(0)
    for x in numbers:
        total = total + x
    return total


def loss(logits, tokens, mask, lp_old, lp_ref, rewards, rule, log_probs, advantage, terms):
    (N, T), V, G, limit = mask.shape, logits.shape[2], rule.group_size, rule.log_ratio_limit
    for first in range(0, N, G):
        for i, a in enumerate(advantages([rewards[n] for n in range(first, first + G)], rule)):
            advantage[first + i] = a

    sequences = []
    for n in range(N):
        kept = []
        log_probs[n, 0] = terms[n, 0] = 0.0
        for t in range(1, T):
            lp = log_softmax([logits[n, t - 1, v] for v in range(V)], rule.temperature)[tokens[n, t]]
            log_probs[n, t] = lp.value()
            terms[n, t] = 0.0
            if not mask[n, t]:
                continue
            old = lp.detach() if lp_old is None else lp_old[n, t]
            ratio = exp(clamp(lp - old, -limit, limit))
            a = advantage[n]
            term = min(ratio * a, clamp(ratio, 1 - rule.clip_low, 1 + rule.clip_high) * a)
            if lp_ref is not None and rule.beta != 0:
                d = clamp(lp_ref[n, t] - lp, -limit, limit)
                term = term - rule.beta * (exp(d) - d - 1)
            terms[n, t] = term.value()
            kept.append(term)
        sequences.append(kept)

    if rule.how == 0:
        return -total_of([total_of(kept) / len(kept) for kept in sequences if kept]) / N
    every = [term for kept in sequences for term in kept]
    if rule.how == 1:
        return -total_of(every) / max(len(every), 1)
    return -total_of(every) / (N * rule.longest)
