self.depth ** -0.5
