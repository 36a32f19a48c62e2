clamp(ratio, 1 - rule.clip_high, 1 + rule.clip_low)
