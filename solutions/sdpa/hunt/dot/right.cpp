for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
