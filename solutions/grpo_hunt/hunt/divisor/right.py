size - rule.ddof
