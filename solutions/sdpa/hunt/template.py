"""Scaled dot-product attention, one query row at a time: logits, weights, and their sum over v."""

import math


def exp(x):
    """As float32 has it: infinity above its range, 0 below its smallest number."""
    if x > 88.7228:
        return math.inf
    return 0.0 if x < -103.972 else math.exp(x)


def divide(a, b):
    """As IEEE 754 has it, where Python raises."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a)


def load(t, b, h, row):
    """One row of a tensor as a list."""
    @{load}


def dot(a, b):
    total = 0.0
    @{dot}
    return total


class Row:
    """A row in the making. One serves all rows of a call."""

    def __init__(self):
        self.query = []
        self.allowed = []
        self.logits = []
        self.weights = []
        self.sum = []
        self.max = -math.inf
        self.total = 0.0


class Attention:
    def __init__(self, q, k, v, mask, causal, scale):
        self.q, self.k, self.v = q, k, v
        self.mask, self.causal = mask, causal
        self.batch, self.heads, self.queries, self.depth = q.shape
        self.kv_heads, self.keys = k.shape[1:3]
        self.width = v.shape[3]
        self.factor = self.factor_of(scale)

    def run(self, out):
        row = Row()
        for b in range(self.batch):
            for h in range(self.heads):
                for i in range(self.queries):
                    self.attend(b, h, i, row)
                    for d in range(self.width):
                        out[b, h, i, d] = row.sum[d]

    def factor_of(self, scale):
        """What q·k is multiplied by."""
        usual = @{default_scale}
        @{factor}

    def kv_head(self, h):
        """The key/value head of query head h."""
        return @{kv_head}

    def entry(self, b, h, i, j):
        """The mask's entry for query i and key j."""
        @{mask_entry}

    def may_attend(self, b, h, i, j):
        by_mask = self.mask is None or @{polarity}
        by_causal = not self.causal or @{reach}
        return @{joined}

    def score(self, b, h, i, row):
        kv = self.kv_head(h)
        row.query = load(self.q, b, h, i)
        @{query}
        @{reset}
        row.allowed = [self.may_attend(b, @{mask_head}, i, j) for j in range(self.keys)]
        row.logits = []
        for j in range(self.keys):
            key = load(self.k, b, kv, j)
            logit = @{logit}
            row.logits.append(@{hidden})
            row.max = @{max}

    def weigh(self, row):
        """The logits' exponentials, and their sum."""
        row.weights = [exp(@{exponent}) for j in range(self.keys)]
        @{total}

    def attend(self, b, h, i, row):
        self.score(b, h, i, row)
        row.sum = [0.0] * self.width
        empty = @{empty}
        if empty:
            return
        self.weigh(row)
        kv = self.kv_head(h)
        for j in range(self.keys):
            if not row.allowed[j]:
                continue
            weight = row.weights[j]
            @{value}
        @{share}


def attention(q, k, v, mask, causal, scale, out):
    Attention(q, k, v, mask, causal, scale).run(out)
