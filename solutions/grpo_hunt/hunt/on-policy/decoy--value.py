Var(lp.value())
