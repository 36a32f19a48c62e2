row.logits[j] > row.max ? row.logits[j] : row.max
