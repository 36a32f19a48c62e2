const auto at = [&](std::size_t axis, Index index) { return std::min(index, mask_->extent(axis) - 1); };
return (*mask_)(at(0, b), at(1, h), at(2, i), at(3, j));
