mask_ ? by_mask : by_causal
