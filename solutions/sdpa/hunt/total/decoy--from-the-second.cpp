row.total += row.weights.front();
for (Index j = 1; j < keys_; ++j) row.total += row.weights[j];
