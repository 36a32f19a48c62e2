exp(log_ratio)
