kept = 1.0 if batch.counts(n, t) else 0.0
ratio[t] = kept * ratio_of(batch, n, t, lp)
clipped[t] = kept * clip(ratio[t], batch.rule)
