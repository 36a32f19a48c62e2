for d in reversed(range(len(a))):
    total += a[d] * b[d]
