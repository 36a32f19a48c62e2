row.max = std::numeric_limits<float>::lowest();
row.total = 0;
