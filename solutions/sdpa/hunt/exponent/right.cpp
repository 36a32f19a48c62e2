row.logits[j] - row.max
