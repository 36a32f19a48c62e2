away = clamp(lp - batch.lp_ref[n, t], -limit, limit)
return away
