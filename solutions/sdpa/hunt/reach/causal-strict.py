j < i + self.keys - self.queries
