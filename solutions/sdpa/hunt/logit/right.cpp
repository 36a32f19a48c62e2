factor_ * dot(row.query, row.key)
