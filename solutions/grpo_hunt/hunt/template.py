# GRPO's loss of one batch, from the model's logits.
import math

from assay import Var, clamp, exp, log, max, min

SEQUENCE_MEAN, TOKEN_MEAN, CONSTANT = 0, 1, 2


class Batch:
    """What one call is about."""

    def __init__(self, logits, tokens, mask, lp_old, lp_ref, rule):
        self.logits, self.tokens, self.mask = logits, tokens, mask
        self.lp_old, self.lp_ref, self.rule = lp_old, lp_ref, rule
        self.sequences, self.positions = mask.shape
        self.has_kl = lp_ref is not None and rule.beta != 0

    def counts(self, n, t):
        """Whether token t of sequence n is one to learn from."""
        return @{mask}


def log_prob(batch, n, row, token):
    """Log-probability of a token under the distribution that row `row` of sequence n holds."""
    scaled = [@{temperature} for id in range(batch.logits.shape[2])]
    highest = @{highest}
    for one in scaled:
        highest = max(highest, one.value())
    total = Var(0)
    for one in scaled:
        total = total + exp(one - highest)
    return scaled[token] - highest - log(total)


def divide(a, b):
    """As C does, where Python raises."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)


def advantage_of(rewards, rule, n):
    """How much better answer n is than the others to its prompt."""
    @{group}
    @{flat}
    size = len(group)
    mean = sum(group) / size
    squares = sum((reward - mean) ** 2 for reward in group)
    centred = @{baseline}
    @{scale}
    variance = squares / @{divisor}
    return divide(centred, @{denominator})


def ratio_of(batch, n, t, lp):
    """How much likelier token t has become since it was sampled."""
    sampled = @{sampled}
    old = Var(sampled[n, @{old-position}]) if sampled is not None else @{on-policy}
    log_ratio = @{difference}
    return @{ratio}


def clip(ratio, rule):
    return @{clip}


def kl(batch, n, t, lp):
    """Estimate of the KL divergence from the reference at token t."""
    @{kl}


def share_of(batch, n, advantage, log_probs, terms):
    """What one sequence adds to the objective: the sum over its tokens, and how many they are."""
    ratio, clipped, penalty = ([Var(0) for _ in range(batch.positions)] for _ in range(3))
    tokens = 0
    log_probs[n, 0] = 0  # nothing predicts the first token
    for t in range(1, batch.positions):
        lp = log_prob(batch, n, @{row}, batch.tokens[n, @{token}])
        log_probs[n, t] = lp.value()
        @{surrogate}
        if @{kl-mask}:
            penalty[t] = @{kl-weight} * kl(batch, n, t, lp)
        @{count}
    terms[n, 0] = 0
    total = Var(0)
    @{objective}
    return total, tokens


def aggregate(shares, rule):
    """The objective of the batch."""
    total, tokens = Var(0), 0
    for share, count in shares:
        total, tokens = total + share, tokens + count
    if rule.how == TOKEN_MEAN:
        return @{token-mean}
    if rule.how == CONSTANT:
        return total / @{constant}
    @{sequence-mean}


def loss(logits, tokens, mask, lp_old, lp_ref, rewards, rule, log_probs, advantage, terms):
    batch = Batch(logits, tokens, mask, lp_old, lp_ref, rule)
    shares = []
    for n in range(batch.sequences):
        advantage[n] = advantage_of(rewards, rule, n)
        shares.append(share_of(batch, n, @{advantage}, log_probs, terms))
    return @{sign}
