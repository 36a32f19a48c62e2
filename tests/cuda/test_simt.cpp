// Right kernels give right results, at every order of lanes, and no findings.
#include "cuda/emulation.hpp"
#include "cuda/kernels/right.hpp"

#include "catch.hpp"
#include <algorithm>
#include <assay/half.hpp>
#include <cmath>
#include <iterator>
#include <numeric>

using namespace assay::simt;
using trial::eighths;

namespace {

void at_every_order(void (*body)()) {
    for (const std::uint64_t order : trial::orders) {
        INFO("order " << order);
        trial::start(order);
        body();
        for (const Finding& finding : findings()) FAIL_CHECK(finding.sentence);
    }
    trial::start(0);
}

/// Sizes below, at and beyond a warp, a block and a grid.
constexpr std::size_t lengths[] = {1, 31, 32, 33, 128, 257, 1000};

} // namespace

TEST_CASE("Sums by a tree, by shuffles and by tiles") {
    at_every_order([] {
        for (const std::size_t n : lengths)
            for (void (*sum)(const float*, float*, int) : {sum_tree, sum_shuffle, sum_tiles}) {
                const std::vector<float> in = eighths(n);
                float out = -1.0f;
                sum(in.data(), &out, static_cast<int>(n));
                CHECK(out == std::accumulate(in.begin(), in.end(), 0.0f));
            }
    });
}

TEST_CASE("A scan through dynamic shared memory") {
    at_every_order([] {
        for (const std::size_t n : lengths) {
            std::vector<int> in(n), out(n, -1), expected(n);
            for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i * i % 17) - 5;
            std::partial_sum(in.begin(), in.end(), expected.begin());
            scan(in.data(), out.data(), static_cast<int>(n));
            CHECK(out == expected);
        }
    });
}

TEST_CASE("A tiled matrix product") {
    at_every_order([] {
        constexpr int m = 33, n = 20, k = 40;
        const std::vector<float> a = eighths(m * k, 2), b = eighths(k * n, 3);
        std::vector<float> c(m * n, -1.0f);
        matmul(a.data(), b.data(), c.data(), m, n, k);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                float sum = 0.0f;
                for (int l = 0; l < k; ++l)
                    sum += a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
                CHECK(c[static_cast<std::size_t>(i * n + j)] == sum);
            }
    });
}

TEST_CASE("Softmax, a warp a row") {
    at_every_order([] {
        constexpr int rows = 3, columns = 45;
        const std::vector<float> in = eighths(rows * columns, 4);
        std::vector<float> out(in.size(), -1.0f);
        softmax(in.data(), out.data(), rows, columns);
        for (std::size_t i = 0; i < rows; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < columns; ++j) sum += std::exp(static_cast<double>(in[i * columns + j]));
            for (std::size_t j = 0; j < columns; ++j)
                CHECK(out[i * columns + j] ==
                      Approx(std::exp(static_cast<double>(in[i * columns + j])) / sum).epsilon(1e-5));
        }
    });
}

TEST_CASE("Ballots and counting barriers") {
    at_every_order([] {
        for (const std::size_t n : lengths) {
            std::vector<int> in(n), out, expected;
            for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i * 7 % 5) - 2;
            std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](int x) { return x > 0; });
            out.assign(n, -1);
            int count = -1;
            compact(in.data(), out.data(), &count, static_cast<int>(n));
            REQUIRE(count == static_cast<int>(expected.size()));
            out.resize(expected.size());
            CHECK(out == expected);
        }
    });
}

TEST_CASE("Atomics, and a lock that lanes of one warp fight for") {
    at_every_order([] {
        std::vector<int> in(500), bins(8), expected(8);
        for (std::size_t i = 0; i < in.size(); ++i)
            ++expected[static_cast<std::size_t>(in[i] = static_cast<int>(i * i % 8))];
        int longest = 0;
        histogram(in.data(), bins.data(), &longest, 500);
        CHECK(bins == expected);
        CHECK(longest == *std::max_element(expected.begin(), expected.end()));
    });
}

TEST_CASE("Constant memory, vector types, more dynamic shared memory than is given by default") {
    at_every_order([] {
        constexpr std::size_t n = 4000;
        const std::vector<float> in = eighths(n, 5);
        std::vector<float> out(n, -1.0f);
        const float weights[3] = {0.25f, 0.5f, -1.0f};
        REQUIRE(filter(in.data(), out.data(), n, weights) == 0);
        for (std::size_t i = 0; i < n; ++i) {
            const float left = i > 0 ? in[i - 1] : 0.0f, right = i + 1 < n ? in[i + 1] : 0.0f;
            CHECK(out[i] == weights[0] * left + weights[1] * in[i] + weights[2] * right);
        }
    });
}

TEST_CASE("Half, bfloat16 and the tensor cores' product") {
    at_every_order([] {
        const std::vector<float> values = eighths(512, 6);
        std::vector<unsigned short> x(values.size()), y(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            x[i] = assay::half(values[i]).bits();
            y[i] = assay::half(values[i] * 0.1f).bits();
        }
        const std::vector<unsigned short> before = y;
        half_axpy(x.data(), y.data(), 0.3f, 511);
        const double a = assay::half(0.3f);
        for (std::size_t i = 0; i < 511; ++i) // double holds a x + y exactly enough that one rounding is left
            CHECK(y[i] == assay::half(static_cast<float>(a * static_cast<double>(assay::half::from_bits(x[i])) +
                                                         static_cast<double>(assay::half::from_bits(before[i]))))
                              .bits());
        CHECK(y[511] == before[511]);

        std::vector<unsigned short> narrow(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) narrow[i] = assay::bfloat16(values[i]).bits();
        float sum = -1.0f;
        bfloat16_sum(narrow.data(), &sum, 500);
        CHECK(sum == std::accumulate(values.begin(), values.begin() + 500, 0.0f));

        constexpr std::size_t n = 32, k = 16;
        alignas(32) unsigned short factors[512]; // WMMA asks for it
        alignas(32) float c[16 * n];
        std::copy(x.begin(), x.end(), factors);
        std::fill(std::begin(c), std::end(c), -1.0f);
        wmma_half(factors, factors, c, n, k);
        for (std::size_t i = 0; i < 16; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                float expected = 0.0f;
                for (std::size_t l = 0; l < k; ++l) expected += values[i * k + l] * values[l * n + j];
                CHECK(c[i * n + j] == 0.5f * expected);
            }
    });
}

TEST_CASE("A kernel without barriers needs no switches but in and out") {
    trial::start(0);
    std::vector<int> in(64, 1), bins(8);
    const std::uint64_t before = used().switches;
    const std::vector<float> values = eighths(64);
    std::vector<unsigned short> x(64), y(64);
    half_axpy(x.data(), y.data(), 1.0f, 64);
    CHECK(used().switches - before == 2);
    CHECK(used().threads == 64);
}
