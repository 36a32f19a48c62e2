for t in range(1, batch.positions):
    term = smallest(ratio[t], clipped[t]) * advantage + penalty[t]
    terms[n, t] = term.value()
    total = total + term
