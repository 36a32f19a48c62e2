for (std::int64_t i = 0; i < rewards.extent(0); ++i)
    if (i / rule.group_size == n / rule.group_size) group.push_back(rewards(i));
