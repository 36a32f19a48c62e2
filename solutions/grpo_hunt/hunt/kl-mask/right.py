batch.has_kl and batch.counts(n, t)
