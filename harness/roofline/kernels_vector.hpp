// Part of kernels_eigen.hpp: the ceilings that no matrix product and no library reaches, in the compiler's own vectors.
// Nothing but arithmetic on registers, so that what an attempt does in less time was not done.
namespace {

#ifdef __AVX512F__
constexpr int lanes = 16;
#elif defined(__AVX__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
typedef float Floats __attribute__((vector_size(lanes * 4), aligned(4), may_alias));
typedef unsigned Bits __attribute__((vector_size(lanes * 4), aligned(4), may_alias));

constexpr int chains = 12; // independent: the latency of one multiply-add vanishes, and 16 registers suffice

float multiply_adds(long rounds) {
    volatile float start = 1.0f, factor = 0.999f, more = 0.001f;
    Floats sums[chains];
    for (int i = 0; i < chains; ++i) sums[i] = start + static_cast<float>(i) - Floats{};
    const Floats a = factor - Floats{}, b = more - Floats{};
    for (long round = 0; round < rounds; ++round)
        for (int i = 0; i < chains; ++i) sums[i] = sums[i] * a + b; // fused, by the file's flags
    Floats all{};
    for (int i = 0; i < chains; ++i) all += sums[i];
    float sum = 0;
    for (int i = 0; i < lanes; ++i) sum += all[i];
    return sum;
}

/// exp(x) = 2^n 2^f, n whole and |f| <= 1/2, 2^f by the polynomial of degree 5 with the least relative error (7.5e-8,
/// by Remez's exchange): ten instructions, no check of the range, x log2(e) rounded once. Careful ones take more.
void exponentials(float* to, const float* from, long count) {
    const float log2_e = 1.44269504f, magic = 12582912.0f; // 1.5 2^23: adding it rounds to a whole number
    for (long i = 0; i + lanes <= count; i += lanes) {
        const Floats x = *reinterpret_cast<const Floats*>(from + i);
        const Floats shifted = x * log2_e + magic;
        const Floats f = x * log2_e - (shifted - magic);
        Floats p = 1.32764722e-3f * f + 9.67554133e-3f;
        p = p * f + 5.55071327e-2f;
        p = p * f + 2.40221197e-1f;
        p = p * f + 6.93146967e-1f;
        p = p * f + 1.00000007f;
        const Bits bits = (Bits)p + ((Bits)shifted << 23);
        *reinterpret_cast<Floats*>(to + i) = (Floats)bits;
    }
}

} // namespace
