exp(clamp(log_ratio, -limit, limit))
