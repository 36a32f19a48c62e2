kv
