Var mean;
double answers = 0;
for (const Share& share : shares) {
    if (share.tokens == 0) continue;
    mean += share.sum / share.tokens;
    ++answers;
}
return mean / std::max(answers, 1.0);
