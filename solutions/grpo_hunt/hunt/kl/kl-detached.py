limit = batch.rule.log_ratio_limit
away = clamp(batch.lp_ref[n, t] - lp.detach(), -limit, limit)
return exp(away) - away - 1
