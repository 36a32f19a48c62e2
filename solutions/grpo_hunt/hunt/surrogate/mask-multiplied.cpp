const double kept = batch.counts(n, t) ? 1 : 0;
ratio[t] = kept * ratio_of(batch, n, t, lp);
clipped[t] = kept * clip(ratio[t], batch.rule);
