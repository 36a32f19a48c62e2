tokens += 1
