// What --here times is what it says it is: each instruction set's kernels and the whole network against plain loops.
#include "catch.hpp"
#include "roofline/measure_bandwidth.hpp"
#include "roofline/measure_ffn.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

using namespace assay::roofline;

namespace {

double leaky(double v) { return std::max(v, 0.01 * v); }

/// The network in float64, from the same weights.
std::vector<double> plain(const RealFfn& net, const Ffn& ffn, long tokens) {
    const long d = static_cast<long>(ffn.d_model), f = static_cast<long>(ffn.hidden);
    const auto dot = [](const float* a, const auto* b, long n) {
        double sum = 0;
        for (long i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        return sum;
    };
    std::vector<double> y;
    for (long t = 0; t < tokens; ++t) {
        std::vector<double> h;
        for (long r = 0; r < f; ++r) {
            const double up = dot(net.up() + r * d, net.x() + t * d, d);
            h.push_back(ffn.gated ? leaky(dot(net.gate() + r * d, net.x() + t * d, d)) * up : leaky(up));
        }
        for (long r = 0; r < d; ++r) y.push_back(dot(net.down() + r * f, h.data(), f));
    }
    return y;
}

} // namespace

TEST_CASE("every instruction set's network gives what plain loops give") {
    for (const Kernels* kernels : usable_kernels())
        for (const int count : {1, 2, 3})
            for (const bool gated : {false, true})
                for (const auto& [d, f, tokens] :
                     {std::tuple{1L, 1L, 1L}, {5L, 7L, 3L}, {33L, 130L, 1L}, {64L, 100L, 17L}, {129L, 70L, 40L}}) {
                    CAPTURE(kernels->name, count, gated, d, f, tokens);
                    Threads threads(count);
                    const Ffn ffn{d, f, gated, 1, 4};
                    RealFfn net(*kernels, threads, ffn, tokens + 2);
                    net.products(tokens); // leaves nothing behind that the next call would need or keep
                    net.run(tokens);
                    const std::vector<double> expected = plain(net, ffn, tokens);
                    double worst = 0;
                    for (std::size_t i = 0; i < expected.size(); ++i)
                        worst = std::max(worst, std::abs(static_cast<double>(net.y()[i]) - expected[i]));
                    // Two sums of at most 130 terms below 2, each rounded at 2^-24: 2 * 130 * 2 * 6e-8 = 3e-5.
                    REQUIRE(worst <= 3e-5);
                    REQUIRE(std::any_of(expected.begin(), expected.end(), [](double v) { return v != 0; }));
                }
}

TEST_CASE("the ways through memory do what they are named for") {
    for (const Kernels* kernels : usable_kernels()) {
        CAPTURE(kernels->name);
        for (const long n : {1L, 7L, 16L, 1000L}) {
            std::vector<float> a, b, to(static_cast<std::size_t>(n));
            for (long i = 0; i < n; ++i)
                a.push_back(static_cast<float>(i % 13)), b.push_back(static_cast<float>(i % 7));
            float sum = 0;
            for (const float one : a) sum += one; // whole numbers: exact in any order
            REQUIRE(kernels->sum(a.data(), n) == sum);
            kernels->copy(to.data(), a.data(), n);
            REQUIRE(to == a);
            kernels->triad(to.data(), a.data(), b.data(), 0.5f, n);
            for (std::size_t i = 0; i < to.size(); ++i) REQUIRE(to[i] == a[i] + 0.5f * b[i]);
        }
    }
}

TEST_CASE("bandwidth is measured for each way, over the size asked for") {
    if (usable_kernels().empty()) return;
    Threads threads(2);
    Memory memory(*usable_kernels().back(), threads, 48 << 20, 6 << 20);
    REQUIRE(memory.bytes() <= 48 << 20);
    REQUIRE(memory.bytes() > 47 << 20);
    Bandwidth rates;
    for (int i = 0; i < 12; ++i) memory.sample(threads, rates); // past the end of the arrays twice
    for (const double rate : {rates.read, rates.copy, rates.triad}) {
        REQUIRE(rate > 1e6);
        REQUIRE(rate < 1e14);
        REQUIRE(rates.best() >= rate);
    }
}

TEST_CASE("work is shared out whole, and no thread is forgotten") {
    for (const int count : {1, 2, 3, 7}) {
        Threads threads(count);
        for (const long total : {0L, 1L, 15L, 16L, 17L, 100L, 1000L})
            for (const long grain : {1L, 16L}) {
                long at = 0;
                for (int part = 0; part < count; ++part) {
                    const Threads::Share share = threads.share(part, total, grain);
                    REQUIRE(share.begin == at);
                    REQUIRE(share.end >= share.begin);
                    REQUIRE((share.end % grain == 0 || share.end == total));
                    at = share.end;
                }
                REQUIRE(at == total);
            }
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
        for (int i = 0; i < 50; ++i) threads.run([&](int part) { ++seen[static_cast<std::size_t>(part)]; });
        for (const auto& one : seen) REQUIRE(one == 50);
    }
}

TEST_CASE("every instruction set's exponentials are those of the library, to what the machine's limit promises") {
    std::vector<float> from, to(1600);
    for (int i = 0; i < 1600; ++i) from.push_back(-80 + 0.1f * static_cast<float>(i));
    for (const Kernels* kernels : usable_kernels()) {
        INFO(kernels->name);
        kernels->exponentials(to.data(), from.data(), 1600);
        double worst = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const double right = std::exp(static_cast<double>(from[i]));
            worst = std::max(worst, std::fabs(static_cast<double>(to[i]) - right) / right);
        }
        CHECK(worst < 1.2e-5); // 115 2^-24: x log2(e) is rounded once, where |x| is 80
        to.assign(1600, 0);
        std::fill(from.begin(), from.end(), 0.0f);
        kernels->exponentials(to.data(), from.data(), 1600);
        CHECK(to[1599] == Approx(1).epsilon(2e-7));
        for (int i = 0; i < 1600; ++i) from[static_cast<std::size_t>(i)] = -80 + 0.1f * static_cast<float>(i);
    }
}

TEST_CASE("the multiply-adds are done, all of them, in as many lanes as are counted") {
    for (const Kernels* kernels : usable_kernels()) {
        INFO(kernels->name);
        // Each chain s -> 0.999 s + 0.001 tends to 1; 12 chains in a whole number of lanes.
        const double lanes = kernels->flops_a_round / 24;
        CHECK((lanes == 4 || lanes == 8 || lanes == 16));
        double start = 0;
        for (int i = 0; i < 12; ++i) start += 1 + i;
        CHECK(kernels->multiply_adds(0) == Approx(start * lanes));
        double after = 0;
        for (int i = 0; i < 12; ++i) after += 1 + i * std::pow(0.999, 1000);
        CHECK(kernels->multiply_adds(1000) == Approx(after * lanes).epsilon(1e-3));
        CHECK(kernels->multiply_adds(20000) == Approx(12 * lanes).epsilon(1e-3));
    }
}
