share.tokens += batch.counts(n, t) ? 1 : 0;
