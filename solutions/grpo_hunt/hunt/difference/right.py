lp - old
