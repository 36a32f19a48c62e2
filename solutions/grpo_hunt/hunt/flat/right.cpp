if (std::all_of(group.begin(), group.end(), [&](double reward) { return reward == group.front(); })) return 0;
