std::max(row.max, logit)
