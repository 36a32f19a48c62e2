row.allowed[j] == 0 ? minus_infinity : logit
