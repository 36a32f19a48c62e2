rewards(n) - mean
