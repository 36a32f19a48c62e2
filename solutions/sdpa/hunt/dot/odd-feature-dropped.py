pairs = len(a) // 2
for d in range(0, 2 * pairs, 2):
    total += a[d] * b[d] + a[d + 1] * b[d + 1]
