batch.logits[n, row, id]
