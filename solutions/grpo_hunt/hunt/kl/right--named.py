away = clamp(batch.lp_ref[n, t] - lp, -batch.rule.log_ratio_limit, batch.rule.log_ratio_limit)
likelier = exp(away)
return (likelier - 1) - away
