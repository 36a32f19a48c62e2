self.queries - i <= self.keys - j
