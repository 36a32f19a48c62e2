if min(group) == max(group):
    return 0.0
