if all(reward == group[0] for reward in group):
    return 0.0
