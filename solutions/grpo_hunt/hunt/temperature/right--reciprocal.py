batch.logits[n, row, id] * (1 / batch.rule.temperature)
