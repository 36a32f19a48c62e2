mask(n, t - 1)
