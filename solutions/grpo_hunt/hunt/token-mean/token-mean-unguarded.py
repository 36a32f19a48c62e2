total / tokens
