++share.tokens;
