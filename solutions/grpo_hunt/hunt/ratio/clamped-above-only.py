exp(min(log_ratio, batch.rule.log_ratio_limit))
