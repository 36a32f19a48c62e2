self.factor * dot(row.query, key)
