std::sqrt(1 / static_cast<float>(depth_))
