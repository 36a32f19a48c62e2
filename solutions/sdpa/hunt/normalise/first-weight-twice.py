row.total = sum(row.weights, row.weights[0])
row.weights = [divide(weight, row.total) for weight in row.weights]
