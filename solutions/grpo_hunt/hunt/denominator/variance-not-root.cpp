(variance + rule.eps)
