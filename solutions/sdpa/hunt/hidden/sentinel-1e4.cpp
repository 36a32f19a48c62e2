row.allowed[j] != 0 ? logit : -1e4f
