batch.has_kl() && batch.counts(n, t)
