logit if row.allowed[j] else -1e9
