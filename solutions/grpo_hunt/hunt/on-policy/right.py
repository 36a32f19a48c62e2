lp.detach()
