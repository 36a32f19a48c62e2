h / (heads_ / kv_heads_)
