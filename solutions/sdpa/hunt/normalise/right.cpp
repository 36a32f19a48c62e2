for (const float weight : row.weights) row.total += weight;
for (float& weight : row.weights) weight /= row.total;
