1 / math.sqrt(self.heads * self.depth)
