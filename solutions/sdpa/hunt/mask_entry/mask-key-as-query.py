n = self.mask.shape
return self.mask[b % n[0], h % n[1], j % n[2], i % n[3]]
