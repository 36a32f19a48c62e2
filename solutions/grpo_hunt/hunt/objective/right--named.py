for t in range(1, batch.positions):
    plain, cautious = ratio[t] * advantage, clipped[t] * advantage
    term = (plain if plain < cautious else cautious) + penalty[t]
    terms[n, t] = term.value()
    total = total + term
