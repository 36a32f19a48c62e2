by_causal if self.mask is None else by_mask
