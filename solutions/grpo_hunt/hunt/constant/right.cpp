(static_cast<double>(shares.size()) * static_cast<double>(rule.longest))
