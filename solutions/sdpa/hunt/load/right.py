return [t[b, h, row, d] for d in range(t.shape[3])]
