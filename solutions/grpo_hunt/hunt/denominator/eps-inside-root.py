math.sqrt(variance + rule.eps)
