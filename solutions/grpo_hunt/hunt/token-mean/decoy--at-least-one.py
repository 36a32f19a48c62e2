total / max(tokens, 1)
