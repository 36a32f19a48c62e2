std::sqrt(variance)
