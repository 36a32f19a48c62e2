away = clamp(batch.lp_ref[n, t] - lp, -batch.rule.log_ratio_limit, batch.rule.log_ratio_limit)
return away * away / 2
