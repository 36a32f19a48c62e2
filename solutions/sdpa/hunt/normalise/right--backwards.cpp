for (Index j = keys_ - 1; j >= 0; --j) row.total += row.weights[j];
for (float& weight : row.weights) weight /= row.total;
