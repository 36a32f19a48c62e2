Var(0) if tokens == 0 else total / tokens
