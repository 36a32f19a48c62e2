row.total += row.weights[0]
for j in range(1, self.keys):
    row.total += row.weights[j]
