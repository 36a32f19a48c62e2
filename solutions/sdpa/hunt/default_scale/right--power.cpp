std::pow(static_cast<float>(depth_), -0.5f)
