n = self.mask.shape
return self.mask[h % n[0], b % n[1], i % n[2], j % n[3]]
