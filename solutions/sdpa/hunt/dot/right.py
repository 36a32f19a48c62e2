for d in range(len(a)):
    total += a[d] * b[d]
