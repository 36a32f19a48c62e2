Var mean;
for (const Share& share : shares) mean += share.sum / std::max(share.tokens, 1.0);
return mean / static_cast<double>(shares.size());
