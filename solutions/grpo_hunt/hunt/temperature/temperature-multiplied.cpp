batch.logits(n, row, id) * batch.rule.temperature
