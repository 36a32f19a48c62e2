self.mask[n, t]
