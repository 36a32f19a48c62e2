Var plain, cautious;
for (std::int64_t t = 1; t < length; ++t) {
    const Var free = ratio[t] * advantage + penalty[t], held = clipped[t] * advantage + penalty[t];
    terms(n, t) = min(free, held).value();
    plain += free;
    cautious += held;
}
share.sum = min(plain, cautious);
