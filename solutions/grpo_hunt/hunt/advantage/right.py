advantage[n]
