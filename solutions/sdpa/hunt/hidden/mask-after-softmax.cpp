logit
