advantage(n)
