data = t.data
first = b * t.strides[0] + h * t.strides[1] + row * t.strides[2]
return [data[first + d * t.strides[3]] for d in range(t.shape[3])]
