batch.has_kl
