1 / static_cast<float>(depth_)
