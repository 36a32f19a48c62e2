for weight in row.weights:
    row.total += weight
