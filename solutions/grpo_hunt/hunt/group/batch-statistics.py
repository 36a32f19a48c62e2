group = [rewards[i] for i in range(rewards.shape[0])]
