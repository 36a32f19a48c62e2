not (not by_mask or not by_causal)
