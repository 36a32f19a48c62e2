away = clamp(batch.lp_ref[n, t] - lp, -limit, limit)
return away * away / 2
