h * self.kv_heads // self.heads
