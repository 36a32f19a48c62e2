for t in range(1, batch.positions):
    held = min(ratio[t], clipped[t]) if advantage > 0 else max(ratio[t], clipped[t])
    term = advantage * held + penalty[t]
    terms[n, t] = term.value()
    total = total + term
