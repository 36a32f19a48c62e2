exp(clamp(log(ratio), -rule.clip_low, rule.clip_high))
