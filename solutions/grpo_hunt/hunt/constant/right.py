(len(shares) * rule.longest)
