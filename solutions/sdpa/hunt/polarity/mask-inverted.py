not self.entry(b, h, i, j)
