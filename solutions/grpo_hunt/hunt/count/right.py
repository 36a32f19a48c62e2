if batch.counts(n, t):
    tokens += 1
