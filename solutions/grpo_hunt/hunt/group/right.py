first = n // rule.group_size * rule.group_size
group = [rewards[first + i] for i in range(rule.group_size)]
