row.total = sum(row.weights)
share = divide(1.0, row.total)
row.weights = [weight * share for weight in row.weights]
