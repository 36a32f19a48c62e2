0 - aggregate(shares, rule)
