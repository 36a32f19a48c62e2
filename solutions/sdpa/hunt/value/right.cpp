for (Index d = 0; d < width_; ++d) row.sum[d] += weight * v_(b, kv, j, d);
