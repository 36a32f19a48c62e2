row.total += row.weights.front();
for (const float weight : row.weights) row.total += weight;
