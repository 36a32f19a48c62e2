for weight in reversed(row.weights):
    row.total += weight
