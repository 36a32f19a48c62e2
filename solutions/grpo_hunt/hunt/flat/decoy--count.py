if group.count(group[-1]) == len(group):
    return 0.0
