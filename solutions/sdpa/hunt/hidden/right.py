logit if row.allowed[j] else -math.inf
