1 / std::sqrt(static_cast<float>(heads_ * depth_))
