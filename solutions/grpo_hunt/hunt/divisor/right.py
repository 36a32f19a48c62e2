(size - rule.ddof)
