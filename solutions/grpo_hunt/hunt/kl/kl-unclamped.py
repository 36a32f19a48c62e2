away = batch.lp_ref[n, t] - lp
return exp(away) - away - 1
