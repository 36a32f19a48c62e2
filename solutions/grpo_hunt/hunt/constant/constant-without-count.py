rule.longest
