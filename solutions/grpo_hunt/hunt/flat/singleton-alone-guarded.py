if len(group) == 1:
    return 0.0
