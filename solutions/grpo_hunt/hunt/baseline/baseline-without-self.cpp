rewards(n) - (mean * size - rewards(n)) / (size - 1)
