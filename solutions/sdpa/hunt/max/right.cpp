std::max(row.max, row.logits[j])
