if not rule.scale:
    return centred
