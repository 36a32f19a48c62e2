by_mask and by_causal
