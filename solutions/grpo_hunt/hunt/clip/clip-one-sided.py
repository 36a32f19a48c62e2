min(ratio, 1 + rule.clip_high)
