by_mask or by_causal
