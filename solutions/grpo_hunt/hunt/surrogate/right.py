if batch.counts(n, t):
    ratio[t] = ratio_of(batch, n, t, lp)
    clipped[t] = clip(ratio[t], batch.rule)
