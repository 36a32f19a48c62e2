mean = Var(0)
for share, count in shares:
    mean = mean + share / (max(count, 1) * len(shares))
return mean
