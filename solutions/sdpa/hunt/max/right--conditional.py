row.logits[j] if row.logits[j] > row.max else row.max
