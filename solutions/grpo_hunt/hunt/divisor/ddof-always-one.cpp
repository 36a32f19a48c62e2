size - 1
