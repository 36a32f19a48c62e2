if (row.total != 1)
    for (float& x : row.sum) x /= row.total;
