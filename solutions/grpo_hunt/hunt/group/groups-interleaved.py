groups = rewards.shape[0] // rule.group_size
group = [rewards[n % groups + i * groups] for i in range(rule.group_size)]
