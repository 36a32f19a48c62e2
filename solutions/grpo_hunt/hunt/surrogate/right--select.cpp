ratio[t] = batch.counts(n, t) ? ratio_of(batch, n, t, lp) : Var();
clipped[t] = batch.counts(n, t) ? clip(ratio[t], batch.rule) : Var();
