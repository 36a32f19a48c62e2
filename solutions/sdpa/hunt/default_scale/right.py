1 / math.sqrt(self.depth)
