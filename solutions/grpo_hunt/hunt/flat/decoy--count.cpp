if (std::count(group.begin(), group.end(), group.back()) == std::ssize(group)) return 0;
