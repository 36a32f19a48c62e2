row.sum = [divide(x, row.total) for x in row.sum]
