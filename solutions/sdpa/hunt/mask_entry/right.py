n = self.mask.shape
return self.mask[b % n[0], h % n[1], i % n[2], j % n[3]]
