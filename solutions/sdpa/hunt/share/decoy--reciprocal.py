share = divide(1.0, row.total)
row.sum = [x * share for x in row.sum]
