total / Var(tokens)
