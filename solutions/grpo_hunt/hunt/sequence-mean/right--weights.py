mean = Var(0)
for share, count in shares:
    mean = mean + share / max(count, 1)
return mean / len(shares)
