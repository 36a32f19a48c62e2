for (std::size_t d = 0; d < into.size(); ++d) into[d] = from(b, h, row, d);
