row.total = 0;
