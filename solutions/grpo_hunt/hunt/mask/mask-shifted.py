self.mask[n, t - 1]
