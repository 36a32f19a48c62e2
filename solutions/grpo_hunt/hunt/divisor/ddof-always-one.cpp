(size - 1)
