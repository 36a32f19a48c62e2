for (std::size_t d = a.size(); d-- > 0;) sum += a[d] * b[d];
