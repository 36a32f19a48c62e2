advantage[n % rule.group_size]
