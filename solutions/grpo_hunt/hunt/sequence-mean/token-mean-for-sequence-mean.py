return total / max(tokens, 1)
