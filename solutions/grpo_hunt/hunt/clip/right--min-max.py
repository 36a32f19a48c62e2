min(max(ratio, 1 - rule.clip_low), 1 + rule.clip_high)
