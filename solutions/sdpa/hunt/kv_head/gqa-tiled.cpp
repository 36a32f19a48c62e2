h % kv_heads_
