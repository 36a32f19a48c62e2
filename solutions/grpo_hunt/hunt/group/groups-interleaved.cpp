const std::int64_t groups = rewards.extent(0) / rule.group_size;
for (std::int64_t i = 0; i < rule.group_size; ++i) group.push_back(rewards(n % groups + i * groups));
