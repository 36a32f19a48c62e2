rewards[n] - mean
