plain, cautious = Var(0), Var(0)
for t in range(1, batch.positions):
    free, held = ratio[t] * advantage + penalty[t], clipped[t] * advantage + penalty[t]
    terms[n, t] = min(free, held).value()
    plain, cautious = plain + free, cautious + held
total = min(plain, cautious)
