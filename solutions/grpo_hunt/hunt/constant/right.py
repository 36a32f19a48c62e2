len(shares) * rule.longest
