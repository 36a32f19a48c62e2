for (std::int64_t i = 0; i < rewards.extent(0); ++i) group.push_back(rewards(i));
