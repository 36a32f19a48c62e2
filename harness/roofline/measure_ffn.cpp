#include "roofline/measure_ffn.hpp"

#include <cmath>
#include <cstdint>

namespace assay::roofline {

namespace {

constexpr long rows_grain = 16; // floats of a cache line: no two threads write to one

} // namespace

void fill(Threads& threads, float* at, long count, float scale, unsigned seed) {
    threads.run([&](int part) {
        const Threads::Share mine = threads.share(part, count, 1024);
        for (long i = mine.begin; i < mine.end; ++i) {
            // The finaliser of MurmurHash3: neighbours differ in every bit.
            std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b9u + seed;
            h = (h ^ (h >> 16)) * 0x85ebca6bu;
            h = (h ^ (h >> 13)) * 0xc2b2ae35u;
            h ^= h >> 16;
            at[i] = scale * (static_cast<float>(h >> 8) * 0x1p-23f - 1);
        }
    });
}

RealFfn::RealFfn(const Kernels& kernels, Threads& threads, const Ffn& ffn, long most_tokens)
    : kernels_(kernels), threads_(threads), d_(static_cast<long>(ffn.d_model)), f_(static_cast<long>(ffn.hidden)),
      x_(most_tokens * d_), up_(f_ * d_), down_(d_ * f_), h_(most_tokens * f_), y_(most_tokens * d_) {
    if (ffn.gated) {
        gate_ = std::make_unique<Buffer>(f_ * d_);
        hg_ = std::make_unique<Buffer>(most_tokens * f_);
    }
    // Values near 1 after every layer: no infinities, and no denormals, which some processors add slowly.
    const auto in = 1 / std::sqrt(static_cast<float>(d_)), out = 1 / std::sqrt(static_cast<float>(f_));
    fill(threads_, x_.data(), most_tokens * d_, 1, 1);
    fill(threads_, up_.data(), f_ * d_, in, 2);
    if (gate_) fill(threads_, gate_->data(), f_ * d_, in, 3);
    fill(threads_, down_.data(), d_ * f_, out, 4);
}

void RealFfn::run(long tokens) { go(tokens, true); }
void RealFfn::products(long tokens) { go(tokens, false); }

void RealFfn::go(long tokens, bool activation) {
    threads_.run([&](int part) {
        const Threads::Share mine = threads_.share(part, f_, rows_grain);
        if (mine.size() == 0) return;
        float* h = h_.data() + mine.begin; // [tokens, mine]
        kernels_.gemm(up_.data() + mine.begin * d_, mine.size(), d_, x_.data(), tokens, h, f_);
        if (!gate_) {
            if (activation) kernels_.leaky(h, mine.size(), tokens, f_);
            return;
        }
        float* g = hg_->data() + mine.begin;
        kernels_.gemm(gate_->data() + mine.begin * d_, mine.size(), d_, x_.data(), tokens, g, f_);
        if (activation) kernels_.gate(g, h, mine.size(), tokens, f_);
    });
    const float* hidden = gate_ ? hg_->data() : h_.data(); // [tokens, f]
    threads_.run([&](int part) {
        const Threads::Share mine = threads_.share(part, d_, rows_grain);
        if (mine.size() > 0)
            kernels_.gemm(down_.data() + mine.begin * f_, mine.size(), f_, hidden, tokens, y_.data() + mine.begin, d_);
    });
}

double RealFfn::bytes(const Ffn& ffn, long most_tokens) {
    const auto d = static_cast<double>(ffn.d_model), f = static_cast<double>(ffn.hidden);
    const auto t = static_cast<double>(most_tokens);
    return 4 * ((ffn.gated ? 3 : 2) * d * f + t * (2 * d + (ffn.gated ? 2 : 1) * f));
}

} // namespace assay::roofline
