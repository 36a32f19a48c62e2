if (batch.counts(n, t)) ++share.tokens;
