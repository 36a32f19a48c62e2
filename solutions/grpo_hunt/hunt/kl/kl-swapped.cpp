const double limit = batch.rule.log_ratio_limit;
const Var away = clamp(lp - (*batch.lp_ref)(n, t), -limit, limit);
return exp(away) - away - 1;
