lp
