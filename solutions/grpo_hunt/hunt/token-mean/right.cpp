tokens > 0 ? total / tokens : Var()
