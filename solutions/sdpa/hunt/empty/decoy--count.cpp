std::count(row.allowed.begin(), row.allowed.end(), 1) == 0
