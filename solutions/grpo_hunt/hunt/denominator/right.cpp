(std::sqrt(variance) + rule.eps)
