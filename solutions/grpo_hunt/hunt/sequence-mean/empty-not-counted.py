mean, answers = Var(0), 0
for share, count in shares:
    if count == 0:
        continue
    mean = mean + share / count
    answers += 1
return mean / max(answers, 1)
