away = clamp(batch.lp_ref[n, t] - lp.detach(), -batch.rule.log_ratio_limit, batch.rule.log_ratio_limit)
return exp(away) - away - 1
