if row.total != 1:
    row.sum = [divide(x, row.total) for x in row.sum]
