ratio[t] = ratio_of(batch, n, t, lp) if batch.counts(n, t) else Var(0)
clipped[t] = clip(ratio[t], batch.rule) if batch.counts(n, t) else Var(0)
