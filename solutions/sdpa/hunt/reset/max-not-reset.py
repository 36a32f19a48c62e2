row.total = 0.0
