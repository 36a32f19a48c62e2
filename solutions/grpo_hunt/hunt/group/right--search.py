group = [rewards[i] for i in range(rewards.shape[0]) if i // rule.group_size == n // rule.group_size]
