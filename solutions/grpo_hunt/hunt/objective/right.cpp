for (std::int64_t t = 1; t < length; ++t) {
    const Var term = min(ratio[t] * advantage, clipped[t] * advantage) + penalty[t];
    terms(n, t) = term.value();
    share.sum += term;
}
