row.total += row.weights[0]
for weight in row.weights:
    row.total += weight
