row.max = 0.0
row.total = 0.0
