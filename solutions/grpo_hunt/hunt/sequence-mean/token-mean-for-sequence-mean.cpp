return total / std::max(tokens, 1.0);
