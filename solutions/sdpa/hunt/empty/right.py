not any(row.allowed)
