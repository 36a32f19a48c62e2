for t in range(1, batch.positions):
    term = min(ratio[t], clipped[t]) * advantage + penalty[t]
    terms[n, t] = term.value()
    total = total + term
