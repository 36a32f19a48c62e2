std::size_t d = 0;
for (; d + 1 < a.size(); d += 2) sum += a[d] * b[d] + a[d + 1] * b[d + 1];
if (d < a.size()) sum += a[d] * b[d];
