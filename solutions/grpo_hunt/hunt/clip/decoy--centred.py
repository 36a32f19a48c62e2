1 + clamp(ratio - 1, -rule.clip_low, rule.clip_high)
