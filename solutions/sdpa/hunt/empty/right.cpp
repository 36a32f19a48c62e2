std::none_of(row.allowed.begin(), row.allowed.end(), [](char one) { return one != 0; })
