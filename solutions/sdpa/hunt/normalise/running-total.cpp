for (float& weight : row.weights) {
    row.total += weight;
    weight /= row.total;
}
