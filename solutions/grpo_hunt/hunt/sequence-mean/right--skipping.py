mean = Var(0)
for share, count in shares:
    if count == 0:
        continue
    mean = mean + share / count
return mean / len(shares)
