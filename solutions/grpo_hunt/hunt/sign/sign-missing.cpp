aggregate(shares, rule)
