clamp(ratio, math.exp(-rule.clip_low), math.exp(rule.clip_high))
