row.allowed[j] != 0 ? logit : minus_infinity
