h // (self.heads // self.kv_heads)
