(size - static_cast<double>(rule.ddof))
