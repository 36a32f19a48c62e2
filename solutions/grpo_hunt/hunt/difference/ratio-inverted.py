old - lp
