self.entry(b, h, i, j)
