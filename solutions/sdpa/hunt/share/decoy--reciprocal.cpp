const float share = 1 / row.total;
for (float& x : row.sum) x *= share;
