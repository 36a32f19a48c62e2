by_mask && by_causal
