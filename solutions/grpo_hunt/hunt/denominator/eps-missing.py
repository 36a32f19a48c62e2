math.sqrt(variance)
