for t in range(1, batch.positions):
    term = max(ratio[t] * advantage, clipped[t] * advantage) + penalty[t]
    terms[n, t] = term.value()
    total = total + term
