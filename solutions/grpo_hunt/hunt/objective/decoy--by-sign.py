for t in range(1, batch.positions):
    held = smallest(ratio[t], clipped[t]) if advantage > 0 else largest(ratio[t], clipped[t])
    term = advantage * held + penalty[t]
    terms[n, t] = term.value()
    total = total + term
