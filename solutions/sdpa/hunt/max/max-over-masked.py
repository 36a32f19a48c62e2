max(row.max, logit)
