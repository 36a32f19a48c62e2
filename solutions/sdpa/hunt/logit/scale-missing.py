dot(row.query, key)
