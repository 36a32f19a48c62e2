first = n - n % rule.group_size
group = [rewards[i] for i in range(first, first + rule.group_size)]
