scaled(batch.logits.extent(2) - 1).value()
