mask(n, t)
