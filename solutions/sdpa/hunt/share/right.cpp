for (float& x : row.sum) x /= row.total;
