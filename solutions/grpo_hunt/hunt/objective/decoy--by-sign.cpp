for (std::int64_t t = 1; t < length; ++t) {
    const Var held = advantage > 0 ? min(ratio[t], clipped[t]) : max(ratio[t], clipped[t]);
    const Var term = advantage * held + penalty[t];
    terms(n, t) = term.value();
    share.sum += term;
}
