away = clamp(lp - batch.lp_ref[n, t], -batch.rule.log_ratio_limit, batch.rule.log_ratio_limit)
return away
