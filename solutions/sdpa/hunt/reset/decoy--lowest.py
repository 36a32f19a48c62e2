row.max = -3.4028234663852886e38
row.total = 0.0
