const std::int64_t first = n - n % rule.group_size;
for (std::int64_t i = first; i < first + rule.group_size; ++i) group.push_back(rewards(i));
