1 / math.sqrt(self.width)
