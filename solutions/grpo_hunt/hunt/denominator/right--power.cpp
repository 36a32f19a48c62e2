(std::pow(variance, 0.5) + rule.eps)
