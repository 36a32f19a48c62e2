batch.has_kl()
