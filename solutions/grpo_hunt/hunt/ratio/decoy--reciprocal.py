1 / exp(clamp(-log_ratio, -limit, limit))
