batch.lp_old
