// The GPU solutions under the emulation, each version at three lane orders, beside plain float64 loops.
#include "cuda/emulation.hpp"
#include "kernels/kernels.hpp"

#include "catch.hpp"
#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace assay::simt;
using trial::eighths;

namespace {

using Truth = std::vector<double>;

/// Runs `version` at every order: no finding, the same bytes each time, and within `bound` of the truth.
template <class Run> void compare(const Truth& truth, double bound, Run run) {
    std::vector<float> first;
    for (const std::uint64_t order : trial::orders) {
        trial::start(order);
        std::vector<float> out(truth.size(), NAN);
        run(out.data());
        for (const Finding& finding : findings()) FAIL_CHECK(finding.sentence);
        double worst = 0;
        for (std::size_t i = 0; i < truth.size(); ++i) {
            const double off = std::fabs(static_cast<double>(out[i]) - truth[i]);
            if (!(off <= worst)) worst = off;
        }
        CHECK(worst <= bound);
        if (first.empty()) first = out;
        CHECK(first == out);
    }
}

} // namespace

TEST_CASE("softmax_forward") {
    for (const int version : {1, 2})
        for (const int columns : {1, 5, 32, 300}) {
            constexpr int rows = 5;
            const auto n = static_cast<std::size_t>(columns);
            const std::vector<float> in = eighths(rows * n);
            Truth truth(in.size());
            for (std::size_t r = 0; r < rows; ++r) {
                double sum = 0;
                for (std::size_t j = 0; j < n; ++j) sum += std::exp(static_cast<double>(in[r * n + j]));
                for (std::size_t j = 0; j < n; ++j)
                    truth[r * n + j] = std::exp(static_cast<double>(in[r * n + j])) / sum;
            }
            // Of a probability y: about (n + 2 (3 max|x - m| + 8)) roundings, TOLERANCES' shape, at y <= 1.
            compare(truth, (columns + 64) * 0x1p-24,
                    [&](float* out) { softmax_forward(version, in.data(), out, rows, columns); });
        }
}

TEST_CASE("layernorm_forward") {
    for (const int version : {1, 2})
        for (const int columns : {2, 33, 127}) {
            constexpr int rows = 5;
            const auto n = static_cast<std::size_t>(columns);
            const std::vector<float> in = eighths(rows * n), gamma = eighths(n, 2), beta = eighths(n, 3);
            Truth truth(in.size());
            for (std::size_t r = 0; r < rows; ++r) {
                double mean = 0, variance = 0;
                for (std::size_t j = 0; j < n; ++j) mean += static_cast<double>(in[r * n + j]) / columns;
                for (std::size_t j = 0; j < n; ++j)
                    variance += std::pow(static_cast<double>(in[r * n + j]) - mean, 2) / columns;
                for (std::size_t j = 0; j < n; ++j)
                    truth[r * n + j] = static_cast<double>(gamma[j]) * (static_cast<double>(in[r * n + j]) - mean) /
                                           std::sqrt(variance + 0.01) +
                                       static_cast<double>(beta[j]);
            }
            // |gamma|, |beta| and the data are at most 4, and epsilon keeps the scale below 10.
            compare(truth, 64.0 * (columns + 8) * 0x1p-24, [&](float* out) {
                layernorm_forward(version, in.data(), gamma.data(), beta.data(), out, rows, columns, 0.01f);
            });
        }
}

TEST_CASE("sdpa_forward") {
    constexpr std::size_t heads = 2, width = 64;
    for (const int version : {1, 2})
        for (const bool causal : {false, true})
            for (const auto& [lq, lk] : {std::pair<std::size_t, std::size_t>{1, 1}, {33, 40}, {40, 33}, {5, 70}}) {
                const std::vector<float> q = eighths(heads * lq * width), k = eighths(heads * lk * width, 2),
                                         v = eighths(heads * lk * width, 3);
                Truth truth(q.size());
                for (std::size_t h = 0; h < heads; ++h)
                    for (std::size_t i = 0; i < lq; ++i) {
                        double sum = 0;
                        for (std::size_t j = 0; j < lk; ++j) {
                            if (causal && j + lq > i + lk) continue;
                            double dot = 0;
                            for (std::size_t d = 0; d < width; ++d)
                                dot += static_cast<double>(q[(h * lq + i) * width + d]) *
                                       static_cast<double>(k[(h * lk + j) * width + d]);
                            const double p = std::exp(dot * 0.03125);
                            sum += p;
                            for (std::size_t d = 0; d < width; ++d)
                                truth[(h * lq + i) * width + d] += p * static_cast<double>(v[(h * lk + j) * width + d]);
                        }
                        for (std::size_t d = 0; d < width && sum > 0; ++d) truth[(h * lq + i) * width + d] /= sum;
                    }
                // Dot products are exact (multiples of 1/64 below 1024); |v| is at most 4.
                compare(truth, 8.0 * (static_cast<double>(lk) + 128) * 0x1p-24, [&](float* out) {
                    sdpa_forward(version, q.data(), k.data(), v.data(), out, static_cast<int>(heads),
                                 static_cast<int>(lq), static_cast<int>(lk), 0.03125f, causal);
                });
            }
}
