clamp(ratio, std::exp(-rule.clip_low), std::exp(rule.clip_high))
