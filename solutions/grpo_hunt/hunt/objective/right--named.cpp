for (std::int64_t t = 1; t < length; ++t) {
    const Var plain = ratio[t] * advantage, cautious = clipped[t] * advantage;
    const Var term = (plain < cautious ? plain : cautious) + penalty[t];
    terms(n, t) = term.value();
    share.sum += term;
}
