exp(smallest(log_ratio, limit))
