row.max = minus_infinity;
row.total = 0;
