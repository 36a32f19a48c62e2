for weight in row.weights:
    row.total += weight
row.weights = [divide(weight, row.total) for weight in row.weights]
