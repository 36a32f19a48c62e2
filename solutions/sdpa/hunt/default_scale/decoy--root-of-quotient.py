math.sqrt(1 / self.depth)
