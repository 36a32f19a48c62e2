batch.lp_ref
