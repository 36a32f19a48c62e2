1 / self.depth
