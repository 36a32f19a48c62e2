row.max = 0;
row.total = 0;
