1 / std::sqrt(static_cast<float>(width_))
