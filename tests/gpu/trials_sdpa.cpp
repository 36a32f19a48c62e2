// The list, and how its numbers are drawn.
#include "trials_sdpa.hpp"

namespace assay::gpu {

namespace {

Mask mask_of(const SdpaTrial& trial, Numbers& numbers) {
    const kernels::SdpaShape& s = trial.shape;
    Mask mask;
    if (trial.masked == Masked::no && trial.content != Content::hidden) return mask;
    mask = {s.batch, s.q_heads, s.lq, s.lk, {}};
    if (trial.masked == Masked::by_key) mask.H = mask.L = 1;
    if (trial.masked == Masked::by_row) mask.B = mask.K = 1;
    for (int b = 0; b < mask.B; ++b)
        for (int h = 0; h < mask.H; ++h)
            for (int i = 0; i < mask.L; ++i)
                for (int j = 0; j < mask.K; ++j) {
                    bool allowed = trial.masked == Masked::no || numbers.next() < 0.4;
                    if (trial.masked == Masked::empty_rows && i % 3 == 1) allowed = false;
                    if (trial.content == Content::hidden && j == s.lk - 1) allowed = false;
                    mask.all.push_back(allowed ? 1 : 0);
                }
    return mask;
}

} // namespace

const std::vector<SdpaTrial>& sdpa_trials() {
    static const std::vector<SdpaTrial> all = {
        // batch, query heads, key heads, queries, keys, d, dv
        {"one of everything", {1, 1, 1, 1, 1, 1, 1}},
        {"short rows", {1, 2, 2, 32, 3, 64, 64}}, // they carry the power of a bound that grows with length
        {"rows of 16", {1, 2, 2, 32, 16, 64, 64}},
        {"rows of 127", {1, 1, 1, 32, 127, 64, 64}},
        {"odd sizes", {2, 3, 3, 33, 41, 37, 19}},
        {"narrow heads", {1, 2, 2, 17, 70, 1, 3}},
        {"width 128", {1, 1, 1, 65, 40, 128, 128}},
        {"wide values", {1, 1, 1, 20, 35, 40, 200}},
        {"width 256", {1, 1, 1, 18, 35, 256, 256}},
        {"width 65 on 129 keys", {1, 1, 1, 9, 129, 65, 64}},
        {"causal, more rows than keys", {1, 2, 2, 70, 33, 32, 32}, true}, // the first 37 rows are empty
        {"causal, a few last rows", {1, 2, 2, 5, 150, 32, 32}, true},
        {"causal, square", {1, 1, 1, 90, 90, 16, 16}, true},
        {"no keys", {1, 2, 2, 5, 0, 8, 8}},
        {"mask", {2, 2, 2, 40, 45, 24, 24}, false, Masked::some},
        {"mask by key", {2, 2, 2, 19, 50, 24, 24}, false, Masked::by_key},
        {"mask by row", {2, 2, 2, 19, 50, 24, 24}, false, Masked::by_row},
        {"mask with empty rows, causal", {1, 2, 2, 40, 37, 24, 24}, true, Masked::empty_rows},
        {"grouped heads", {2, 6, 2, 21, 34, 16, 24}, true},
        {"grouped heads, gaps", {2, 6, 3, 21, 34, 16, 24}, false, Masked::some, Content::usual, Lay::gaps},
        {"transposed", {2, 2, 2, 21, 34, 16, 24}, false, Masked::no, Content::usual, Lay::transposed},
        {"off by one element", {1, 2, 2, 21, 34, 16, 24}, true, Masked::no, Content::usual, Lay::shifted},
        {"large scores", {1, 2, 2, 33, 41, 64, 64}, false, Masked::no, Content::large},
        {"large scores, causal and mask", {1, 2, 2, 33, 41, 32, 32}, true, Masked::some, Content::large},
        {"equal scores and values", {1, 1, 1, 8, 300, 16, 16}, false, Masked::no, Content::equal},
        {"scale near 0", {1, 1, 1, 8, 40, 16, 16}, false, Masked::no, Content::usual, Lay::contiguous, 1e-30},
        {"negative scale", {1, 1, 1, 8, 40, 16, 16}, false, Masked::no, Content::usual, Lay::contiguous, -0.5},
        {"NaN behind the mask", {1, 2, 2, 17, 20, 16, 16}, false, Masked::some, Content::hidden},
    };
    return all;
}

template <class As> Attention attention_of(const SdpaTrial& trial) {
    const kernels::SdpaShape& s = trial.shape;
    Attention problem;
    problem.shape = s;
    problem.causal = trial.causal;
    problem.scale = static_cast<double>(
        static_cast<float>(trial.scale != 0 ? trial.scale : 1 / std::sqrt(static_cast<double>(s.d))));
    Numbers numbers(static_cast<std::uint64_t>(s.lq * 1000 + s.lk));
    problem.q = Values(s.batch, s.q_heads, s.lq, s.d);
    problem.k = Values(s.batch, s.kv_heads, s.lk, s.d);
    problem.v = Values(s.batch, s.kv_heads, s.lk, s.dv);
    const double size = trial.content == Content::large ? 60 : 2;
    for (Values* values : {&problem.q, &problem.k})
        for (double& one : values->all) one = As::decode(As::encode(size * numbers.next()));
    for (double& one : problem.v.all) one = As::decode(As::encode(2 * numbers.next()));
    if (trial.content == Content::equal) {
        std::fill(problem.q.all.begin(), problem.q.all.end(), 0.0);
        std::fill(problem.v.all.begin(), problem.v.all.end(), As::decode(As::encode(1.2345)));
    }
    if (trial.content == Content::hidden)
        for (Values* values : {&problem.k, &problem.v})
            for (int h = 0; h < s.kv_heads; ++h)
                for (int c = 0; c < values->D; ++c) (*values)(0, h, s.lk - 1, c) = std::nan("");
    problem.mask = mask_of(trial, numbers);
    return problem;
}

template Attention attention_of<AsFloat>(const SdpaTrial&);
template Attention attention_of<AsHalf>(const SdpaTrial&);
template Attention attention_of<AsBfloat16>(const SdpaTrial&);

} // namespace assay::gpu
