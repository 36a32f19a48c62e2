// Reads a problem of `sdpa` row by row as the contract says, in long double, sharing no code with the oracle.
#ifndef ASSAY_TESTS_SDPA_READER_HPP
#define ASSAY_TESTS_SDPA_READER_HPP

#include "catch.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace assay::sdpa_test {

inline const Exercise& sdpa() {
    const Exercise* exercise = find_exercise("sdpa");
    REQUIRE(exercise != nullptr);
    return *exercise;
}

inline Truth truth_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = sdpa().oracle(problem, mistake, form);
    REQUIRE(truths);
    REQUIRE(truths->size() == 1);
    return truths->front();
}

inline Problem problem_of(std::string_view id, std::uint64_t seed = 0) {
    for (const Level& level : sdpa().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(seed);
    FAIL("no case " << id);
    return {};
}

/// The element at a rank-4 index, with leading indices dropped for tensors of lower rank.
inline double element(const Array& array, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t d) {
    return array.rank() == 2 ? array.at({i, d}) : array.at({b, h, i, d});
}

/// One row's allowed logits with a_j (and what a bias adds), read straight off the problem.
struct Row {
    std::vector<long double> s, a, bias;
    std::vector<std::int64_t> key;
};

class Reader {
  public:
    explicit Reader(const Problem& problem)
        : problem_(problem), q_(problem.array("q")), k_(problem.array("k")), v_(problem.array("v")),
          streams_(q_.rank() == 2) {
        B = streams_ ? 1 : q_.extents[0];
        Hq = streams_ ? 1 : q_.extents[1];
        Lq = q_.extents[q_.rank() - 2];
        D = q_.extents.back();
        Hkv = streams_ ? 1 : k_.extents[1];
        Lk = k_.extents[k_.rank() - 2];
        Dv = v_.extents.back();
    }

    std::int64_t B = 1, Hq = 1, Hkv = 1, Lq = 0, Lk = 0, D = 0, Dv = 0;

    bool may(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        const std::int64_t p = i + Lk - Lq;
        if (problem_.has("causal") && problem_.flag("causal") && j > p) return false;
        if (problem_.find("window") != nullptr && problem_.integer("window") > 0 &&
            std::llabs(p - j) >= problem_.integer("window"))
            return false;
        if (!problem_.has("mask")) return true;
        const Array& mask = problem_.array("mask");
        if (streams_) return mask.at({i, j}) != 0;
        const auto clip = [&](std::size_t axis, std::int64_t x) { return mask.extents[axis] == 1 ? 0 : x; };
        return mask.at({clip(0, b), clip(1, h), clip(2, i), clip(3, j)}) != 0;
    }

    Row row(std::int64_t b, std::int64_t h, std::int64_t i) const {
        Row result;
        const long double scale = problem_.has("scale")
                                      ? static_cast<long double>(static_cast<float>(problem_.number_or("scale", 0)))
                                      : 1 / std::sqrt(static_cast<long double>(D));
        for (std::int64_t j = 0; j < Lk; ++j) {
            if (!may(b, h, i, j)) continue;
            long double dot = 0, size = 0;
            for (std::int64_t d = 0; d < D; ++d) {
                const long double product = static_cast<long double>(element(q_, b, h, i, d)) *
                                            static_cast<long double>(element(k_, b, h / (Hq / Hkv), j, d));
                dot += product;
                size += std::fabs(product);
            }
            long double bias = 0;
            if (problem_.find("slopes") != nullptr)
                bias = static_cast<long double>(problem_.array("slopes").at({h})) *
                       static_cast<long double>(std::llabs(i + Lk - Lq - j));
            result.s.push_back(scale * dot - bias);
            result.a.push_back(std::fabs(scale) * size);
            result.bias.push_back(bias);
            result.key.push_back(j);
        }
        return result;
    }

    long double value(std::int64_t b, std::int64_t h, std::int64_t j, std::int64_t d) const {
        return static_cast<long double>(element(v_, b, h / (Hq / Hkv), j, d));
    }

    void each_row(const std::function<void(std::int64_t, std::int64_t, std::int64_t, std::size_t)>& visit) const {
        std::size_t at = 0;
        for (std::int64_t b = 0; b < B; ++b)
            for (std::int64_t h = 0; h < Hq; ++h)
                for (std::int64_t i = 0; i < Lq; ++i, at += static_cast<std::size_t>(Dv)) visit(b, h, i, at);
    }

  private:
    const Problem& problem_;
    const Array &q_, &k_, &v_;
    bool streams_;
};

/// p_j = 1 / sum_k exp(s_k - s_j): no maximum is needed, and none is taken.
inline std::vector<long double> weights(const Row& row) {
    std::vector<long double> p;
    for (const long double s : row.s) {
        long double sum = 0;
        for (const long double other : row.s) sum += std::exp(other - s);
        p.push_back(1 / sum);
    }
    return p;
}

/// Asks for the gradients: three truths, and no "out" (test_sdpa_gradients.cpp).
inline bool is_backward(const Problem& problem) { return problem.route == "attention_backward"; }

/// Every case that asks for an output.
inline void for_each_case(std::uint64_t seed,
                          const std::function<void(const Level&, const Case&, const Problem&)>& visit) {
    for (const Level& level : sdpa().levels)
        for (const Case& one : level.cases)
            if (const Problem problem = one.make(seed); !is_backward(problem)) visit(level, one, problem);
}

} // namespace assay::sdpa_test

#endif
