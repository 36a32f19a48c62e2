const std::int64_t first = n / rule.group_size * rule.group_size;
for (std::int64_t i = 0; i < rule.group_size; ++i) group.push_back(rewards(first + i));
