row.total = sum(reversed(row.weights))
row.weights = [divide(weight, row.total) for weight in row.weights]
