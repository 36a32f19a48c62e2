for j, weight in enumerate(row.weights):
    row.total += weight
    row.weights[j] = divide(weight, row.total)
