for (Index j = keys_ - 1; j >= 0; --j) row.total += row.weights[j];
