tokens += 1 if batch.counts(n, t) else 0
