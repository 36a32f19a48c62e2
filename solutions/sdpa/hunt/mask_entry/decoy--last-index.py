at = [min(index, extent - 1) for extent, index in zip(self.mask.shape, (b, h, i, j))]
return self.mask[tuple(at)]
