const tensor<const bool, 4>& mask = *mask_;
return mask(b % mask.extent(0), h % mask.extent(1), j % mask.extent(2), i % mask.extent(3));
