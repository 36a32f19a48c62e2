// Level traffic of `parallelism` against rings that pass chunks on, and the invalid inputs of both calculators.
#include "exercises/parallelism/questions.hpp"

#include <assay/unset.hpp>
#include <bit>
#include <cmath>
#include <numeric>

using namespace assay;
using namespace assay::parallelism_test;

namespace {

/// n ranks in a ring, each with a vector cut into n chunks as equal as can be; counts the elements each rank sends.
class Ring {
  public:
    Ring(std::int64_t n, std::int64_t elements) : ranks_(static_cast<std::size_t>(n)), sent_(ranks_, 0) {
        for (std::size_t r = 0; r < ranks_; ++r) {
            data_.emplace_back();
            for (std::int64_t i = 0; i < elements; ++i)
                data_.back().push_back(static_cast<std::int64_t>(r + 1) * (i + 3));
        }
        for (std::int64_t c = 0; c <= n; ++c) starts_.push_back(static_cast<std::size_t>(c * elements / n));
    }
    /// n - 1 steps: rank r sends chunk r - step, which its neighbour adds to its own.
    void reduce_scatter() {
        for (std::size_t step = 0; step + 1 < ranks_; ++step) pass(step, true);
    }
    /// n - 1 steps: rank r sends chunk r + 1 - step, which its neighbour puts in place.
    void all_gather() {
        for (std::size_t step = 0; step + 1 < ranks_; ++step) pass(step + ranks_ - 1, false);
    }
    bool all_summed() const {
        const auto n = static_cast<std::int64_t>(ranks_);
        for (const auto& data : data_)
            for (std::size_t i = 0; i < data.size(); ++i)
                if (data[i] != n * (n + 1) / 2 * (static_cast<std::int64_t>(i) + 3)) return false;
        return true;
    }
    /// On average over the ranks: chunks differ by one element where n does not divide.
    double sent() const {
        return static_cast<double>(std::accumulate(sent_.begin(), sent_.end(), std::int64_t{0})) /
               static_cast<double>(ranks_);
    }

  private:
    std::size_t ranks_;
    std::vector<std::int64_t> sent_;
    std::vector<std::vector<std::int64_t>> data_;
    std::vector<std::size_t> starts_;

    void pass(std::size_t step, bool adds) {
        const auto before = data_;
        for (std::size_t r = 0; r < ranks_; ++r) {
            const std::size_t chunk = (r + 2 * ranks_ - step % ranks_) % ranks_, to = (r + 1) % ranks_;
            for (std::size_t i = starts_[chunk]; i < starts_[chunk + 1]; ++i)
                data_[to][i] = before[r][i] + (adds ? before[to][i] : 0);
            sent_[r] += static_cast<std::int64_t>(starts_[chunk + 1] - starts_[chunk]);
        }
    }
};

bool is_unset(double x) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(unset); }

} // namespace

TEST_CASE("the statement's bytes, by hand") {
    // n = 3, T = 5, d = 7, f = 11 in 2-byte elements: 4 hidden units a rank.
    const Truths bytes = truths_of(traffic_of(5, 7, 11, 3, 2));
    CHECK(value(bytes, "weights") == 2 * (7 * 4 + 4 + 4 * 7 + 7));
    CHECK(value(bytes, "activations") == 70);
    CHECK(value(bytes, "all_reduce") == Approx(280.0 / 3).epsilon(1e-15));
    CHECK(value(bytes, "all_gather") == Approx(140.0 / 3).epsilon(1e-15));
    CHECK(value(bytes, "sequence") == Approx(280.0 / 3).epsilon(1e-15));
    CHECK(value(bytes, "gathered_sums") == Approx(140).epsilon(1e-15));
    CHECK(value(bytes, "rows_first") == Approx(580.0 / 3).epsilon(1e-15)); // 4/3 · 110 + 2/3 · 70
}

TEST_CASE("the traffic of 200 random layers is what rings pass on, chunk by chunk") {
    Random random(30, "rings");
    for (int trial = 0; trial < 200; ++trial) {
        const std::int64_t n = random.integer(1, 9), T = random.integer(1, 8), d = random.integer(1, 8),
                           f = random.integer(1, 20), e = random.integer(1, 8);
        INFO("T " << T << " d " << d << " f " << f << " n " << n << " e " << e);
        const auto bytes = static_cast<double>(e);
        Ring scatter(n, T * d), gather(n, T * d), both(n, T * d), joined(n, n * T * d), hidden(n, T * f);
        scatter.reduce_scatter();
        gather.all_gather();
        both.reduce_scatter();
        both.all_gather();
        CHECK(both.all_summed());
        joined.all_gather();
        hidden.reduce_scatter();
        hidden.all_gather();
        CHECK(hidden.all_summed());
        const Truths truths = truths_of(traffic_of(T, d, f, n, e));
        CHECK(value(truths, "reduce_scatter") == Approx(bytes * scatter.sent()).epsilon(1e-14));
        CHECK(value(truths, "all_gather") == Approx(bytes * gather.sent()).epsilon(1e-14));
        CHECK(value(truths, "all_reduce") == Approx(bytes * both.sent()).epsilon(1e-14));
        CHECK(value(truths, "sequence") == Approx(bytes * (scatter.sent() + gather.sent())).epsilon(1e-14));
        CHECK(value(truths, "gathered_sums") == Approx(bytes * joined.sent()).epsilon(1e-14));
        CHECK(value(truths, "rows_first") == Approx(bytes * (hidden.sent() + gather.sent())).epsilon(1e-14));
        // What a rank of level shard is given, counted element by element.
        std::int64_t width = 0;
        while (width * n < f) ++width;
        std::int64_t elements = 0;
        for (std::int64_t unit = 0; unit < width; ++unit) elements += d + 1 + d;
        CHECK(value(truths, "weights") == bytes * static_cast<double>(elements + d));
        CHECK(value(truths, "activations") == bytes * static_cast<double>(T * d));
    }
}

TEST_CASE(
    "the ring's two ways of bytes: n / 2 times as many where sums are gathered, a half more where y is reduced whole") {
    for (const std::int64_t n : {2, 3, 5, 8}) {
        const Truths bytes = truths_of(traffic_of(6, 7, 12, n, 4));
        CHECK(value(bytes, "gathered_sums") ==
              Approx(value(bytes, "all_reduce") * static_cast<double>(n) / 2).epsilon(1e-14));
        CHECK(value(bytes, "sequence") == Approx(value(bytes, "all_reduce")).epsilon(1e-14));
    }
}

TEST_CASE("traffic: products beyond 64 bits are exact numbers, rounded") {
    const std::int64_t most = std::int64_t{1} << 53;
    const Truths bytes = truths_of(traffic_of(most, most, most, most, most));
    CHECK(value(bytes, "activations") == std::ldexp(1, 159));
    CHECK(value(bytes, "weights") == Approx(std::ldexp(1, 53) * (3 * std::ldexp(1, 53) + 1)).epsilon(1e-15));
    CHECK(value(truths_of(problem_of("beyond-int64")), "activations") > std::ldexp(1, 63));
    CHECK(value(truths_of(problem_of("beyond-int32")), "activations") / 2 > std::ldexp(1, 31));
    CHECK(value(truths_of(problem_of("wide-peak")), "peak_bytes") > std::ldexp(1, 63));
}

TEST_CASE("traffic and bubble: invalid inputs leave everything unset, valid ones nothing") {
    int invalid = 0;
    for (const char* id : {"traffic", "bubble"})
        for (const Case& one : level(id).cases) {
            INFO(one.id);
            const Truths truths = truths_of(one.make(0));
            std::size_t empty = 0;
            for (const Truth& truth : truths)
                empty += truth.dtype == Dtype::i64 ? truth.value.front() == static_cast<double>(unset_integer)
                                                   : is_unset(truth.value.front());
            const bool is_edge = one.stays.find("invalid input") != std::string::npos;
            CHECK(empty == (is_edge ? truths.size() : 0));
            invalid += is_edge ? 1 : 0;
        }
    CHECK(invalid == 17);
}

TEST_CASE("the domain's edges are valid on one side and invalid on the other") {
    const std::int64_t most = std::int64_t{1} << 53;
    CHECK_FALSE(is_unset(value(truths_of(traffic_of(1, 1, 1, 1, 1)), "weights")));
    CHECK_FALSE(is_unset(value(truths_of(traffic_of(most, 1, 1, 1, 1)), "weights")));
    CHECK(is_unset(value(truths_of(traffic_of(1, 1, most + 1, 1, 1)), "weights")));
    CHECK(is_unset(value(truths_of(traffic_of(1, 1, 1, -1, 1)), "weights")));
    Plan plan;
    plan.s = plan.p - 1;
    CHECK_FALSE(is_unset(value(truths_of(bubble_of(plan)), "useful")));
    plan.s = plan.p;
    CHECK(is_unset(value(truths_of(bubble_of(plan)), "useful")));
    plan.s = 0;
    plan.bytes = 0;
    CHECK_FALSE(is_unset(value(truths_of(bubble_of(plan)), "useful")));
    plan.forward = 0x1p-1074;
    CHECK_FALSE(is_unset(value(truths_of(bubble_of(plan)), "useful")));
    plan.forward = -0.0;
    CHECK(is_unset(value(truths_of(bubble_of(plan)), "useful")));
}
