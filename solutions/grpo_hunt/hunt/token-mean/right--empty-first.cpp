tokens == 0 ? Var() : total / tokens
