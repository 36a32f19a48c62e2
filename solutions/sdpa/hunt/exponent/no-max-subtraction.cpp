row.logits[j]
