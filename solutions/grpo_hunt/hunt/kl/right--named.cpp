const double limit = batch.rule.log_ratio_limit;
const Var away = clamp((*batch.lp_ref)(n, t) - lp, -limit, limit);
const Var likelier = exp(away);
return (likelier - 1) - away;
