h % self.kv_heads
