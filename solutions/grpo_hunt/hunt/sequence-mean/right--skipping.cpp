Var mean;
for (const Share& share : shares) {
    if (share.tokens == 0) continue;
    mean += share.sum / share.tokens;
}
return mean / static_cast<double>(shares.size());
