if (!rule.scale) return centred;
