const float* value = v_.data() + b * v_.stride(0) + kv * v_.stride(1) + j * v_.stride(2);
for (Index d = 0; d < width_; ++d) row.sum[d] += weight * value[d * v_.stride(3)];
