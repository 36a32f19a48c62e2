for d in range(self.width):
    row.sum[d] += weight * self.v[b, kv, j, d]
