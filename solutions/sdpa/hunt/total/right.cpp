for (const float weight : row.weights) row.total += weight;
