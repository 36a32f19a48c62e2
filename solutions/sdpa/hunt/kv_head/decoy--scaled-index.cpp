h * kv_heads_ / heads_
