row.query = [self.factor * x for x in row.query]
