bool(self.mask[n, t])
