row.max = -math.inf
row.total = 0.0
