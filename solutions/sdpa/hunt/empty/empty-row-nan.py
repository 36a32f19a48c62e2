not row.allowed
