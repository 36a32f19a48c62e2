j <= i
