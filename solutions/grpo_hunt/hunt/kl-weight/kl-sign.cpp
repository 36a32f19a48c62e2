batch.rule.beta
