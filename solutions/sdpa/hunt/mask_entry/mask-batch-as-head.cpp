const tensor<const bool, 4>& mask = *mask_;
return mask(h % mask.extent(0), b % mask.extent(1), i % mask.extent(2), j % mask.extent(3));
