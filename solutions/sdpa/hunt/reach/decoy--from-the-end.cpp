queries_ - i <= keys_ - j
