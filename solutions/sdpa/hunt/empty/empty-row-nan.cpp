row.allowed.empty()
