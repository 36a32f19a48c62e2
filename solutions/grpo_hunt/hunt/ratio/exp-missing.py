clamp(log_ratio, -batch.rule.log_ratio_limit, batch.rule.log_ratio_limit)
