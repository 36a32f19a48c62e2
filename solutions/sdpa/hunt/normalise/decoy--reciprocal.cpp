for (const float weight : row.weights) row.total += weight;
const float share = 1 / row.total;
for (float& weight : row.weights) weight *= share;
