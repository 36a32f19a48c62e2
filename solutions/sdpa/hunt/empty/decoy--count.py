row.allowed.count(True) == 0
