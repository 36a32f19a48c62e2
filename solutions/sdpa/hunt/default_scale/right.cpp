1 / std::sqrt(static_cast<float>(depth_))
