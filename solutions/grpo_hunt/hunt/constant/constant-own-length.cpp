tokens
