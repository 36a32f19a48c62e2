at = [0 if extent == 1 else index for extent, index in zip(self.mask.shape, (b, h, i, j))]
return self.mask[tuple(at)]
