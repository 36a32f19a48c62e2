static_cast<double>(rule.longest)
