total / tokens if tokens > 0 else Var(0)
