variance + rule.eps
