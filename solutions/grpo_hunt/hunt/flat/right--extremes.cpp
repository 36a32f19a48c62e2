if (*std::min_element(group.begin(), group.end()) == *std::max_element(group.begin(), group.end())) return 0;
