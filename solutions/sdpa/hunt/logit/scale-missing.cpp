dot(row.query, row.key)
