pairs = len(a) // 2
for d in range(0, 2 * pairs, 2):
    total += a[d] * b[d] + a[d + 1] * b[d + 1]
if 2 * pairs < len(a):
    total += a[-1] * b[-1]
