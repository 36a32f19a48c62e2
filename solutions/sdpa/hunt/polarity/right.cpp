entry(b, h, i, j)
