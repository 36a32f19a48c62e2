const float* first = &from(b, h, row, 0);
for (std::size_t d = 0; d < into.size(); ++d) into[d] = first[d];
