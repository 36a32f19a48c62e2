"""A colon is missing."""


def attention(q, k, v, mask, causal, scale, out)
    pass
