data, strides = self.v.data, self.v.strides
first = b * strides[0] + kv * strides[1] + j * strides[2]
for d in range(self.width):
    row.sum[d] += weight * data[first + d]
