// The oracle of `sdpa` against a formulation of its own, its bound against TOLERANCES and against plain float32, and
// the decisive numbers of the statement.
#include "catch.hpp"
#include "core/registry.hpp"
#include "judge/compare.hpp"

#include <assay/half.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

using namespace assay;

namespace {

const Exercise& sdpa() {
    const Exercise* exercise = find_exercise("sdpa");
    REQUIRE(exercise != nullptr);
    return *exercise;
}

Truth truth_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = sdpa().oracle(problem, mistake, form);
    REQUIRE(truths);
    REQUIRE(truths->size() == 1);
    return truths->front();
}

Problem problem_of(std::string_view id, std::uint64_t seed = 0) {
    for (const Level& level : sdpa().levels)
        for (const Case& one : level.cases)
            if (one.id == id) return one.make(seed);
    FAIL("no case " << id);
    return {};
}

/// The element at a rank-4 index, with leading indices dropped for tensors of lower rank.
double element(const Array& array, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t d) {
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
std::vector<long double> weights(const Row& row) {
    std::vector<long double> p;
    for (const long double s : row.s) {
        long double sum = 0;
        for (const long double other : row.s) sum += std::exp(other - s);
        p.push_back(1 / sum);
    }
    return p;
}

void expect_truth(const Problem& problem, const std::string& name) {
    INFO(name << ", route " << problem.route);
    const Truth truth = truth_of(problem);
    const Reader reader(problem);
    REQUIRE(truth.extents == problem.array("out").extents);
    REQUIRE(truth.dtype == problem.array("out").dtype);
    REQUIRE(static_cast<std::int64_t>(truth.value.size()) == problem.array("out").size());
    REQUIRE(truth.bound.size() == truth.value.size());
    std::int64_t wrong = 0;
    reader.each_row([&](std::int64_t b, std::int64_t h, std::int64_t i, std::size_t at) {
        const Row row = reader.row(b, h, i);
        const std::vector<long double> p = weights(row);
        for (std::int64_t d = 0; d < reader.Dv; ++d, ++at) {
            long double o = 0;
            for (std::size_t n = 0; n < p.size(); ++n) o += p[n] * reader.value(b, h, row.key[n], d);
            const auto error = static_cast<double>(std::fabs(o - static_cast<long double>(truth.value[at])));
            if (row.s.empty())
                wrong += truth.value[at] != 0 || truth.bound[at] != 0 ? 1 : 0;
            else
                wrong += !(error <= 1e-5 * truth.bound[at]) || !(truth.bound[at] > 0) ? 1 : 0;
        }
    });
    CHECK(wrong == 0);
}

void for_each_case(std::uint64_t seed, const std::function<void(const Level&, const Case&, const Problem&)>& visit) {
    for (const Level& level : sdpa().levels)
        for (const Case& one : level.cases) visit(level, one, one.make(seed));
}

/// The plain answer with every logit's inputs or sums passed through `lossy`, and nothing else changed.
Outputs with_lossy_inputs(const Problem& problem, const std::function<double(double)>& lossy) {
    Problem changed = problem;
    for (const char* name : {"q", "k"}) {
        Array& array = std::get<Array>(changed.find(name)->value);
        for_each_index(array.extents, [&](const Index& at) { array.set(at, lossy(array.at(at))); });
    }
    return sdpa().plain(changed);
}

} // namespace

TEST_CASE("the oracle agrees with softmax written without a maximum, on every case") {
    for_each_case(3, [](const Level&, const Case& one, const Problem& problem) { expect_truth(problem, one.id); });
}

TEST_CASE("the oracle agrees with softmax written without a maximum, on random problems") {
    for (std::uint64_t seed = 0; seed < 400; ++seed) expect_truth(sdpa().random(seed), "seed " + std::to_string(seed));
}

TEST_CASE("the bound is TOLERANCES' sdpa forward, term by term") {
    const double u = 0x1p-24;
    for (const char* id : {"default-scale", "far-rows", "mask-and-causal", "length-127", "f16-rows", "bf16-stored",
                           "f16-stored", "slopes"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        const Truth truth = truth_of(problem);
        const Reader reader(problem);
        const double u_out = truth.dtype == Dtype::f16 ? 0x1p-11 : truth.dtype == Dtype::bf16 ? 0x1p-8 : 0;
        double worst = 0;
        reader.each_row([&](std::int64_t b, std::int64_t h, std::int64_t i, std::size_t at) {
            const Row row = reader.row(b, h, i);
            const std::vector<long double> p = weights(row);
            const auto n = static_cast<double>(row.s.size());
            double m = -std::numeric_limits<double>::infinity();
            for (const long double s : row.s) m = std::max(m, static_cast<double>(s));
            double sum = 0;
            for (const long double s : row.s) sum += std::exp(static_cast<double>(s) - m);
            const double logs = row.s.size() == 1 ? 0 : std::fabs(m) + std::fabs(m + std::log(sum));
            double largest = 0;
            for (const std::int64_t j : row.key)
                for (std::int64_t d = 0; d < reader.Dv; ++d)
                    largest = std::max(largest, std::fabs(static_cast<double>(reader.value(b, h, j, d))));
            for (std::int64_t d = 0; d < reader.Dv; ++d, ++at) {
                const double o = truth.value[at];
                double spread = 0, size = 0;
                for (std::size_t k = 0; k < p.size(); ++k) {
                    const auto v = static_cast<double>(reader.value(b, h, row.key[k], d));
                    const auto weight = static_cast<double>(p[k]);
                    const double theta = std::expm1(
                        u * (static_cast<double>(reader.D + 4) * static_cast<double>(row.a[k]) +
                             4 * static_cast<double>(row.bias[k]) + 3 * (m - static_cast<double>(row.s[k])) + 8));
                    spread += weight * theta * std::fabs(v - o);
                    size += weight * std::fabs(v);
                }
                const double bound = spread + u * (n + 2) * (size + std::fabs(o)) + u * logs * size +
                                     (n + 2) * 0x1p-126 * (1 + largest) + u_out * std::fabs(o) +
                                     (truth.dtype == Dtype::f16 ? 0x1p-25 : 0);
                worst = std::max(worst, std::fabs(bound - truth.bound[at]) / bound);
            }
        });
        CHECK(worst < 1e-9);
    }
}

TEST_CASE("plain float32 lies within the bound on every case and every random problem") {
    std::map<std::string, double> worst;
    for (const std::uint64_t seed : {0, 1, 2})
        for_each_case(seed, [&](const Level& level, const Case& one, const Problem& problem) {
            const double ratio = worst_ratio(sdpa().plain(problem), {truth_of(problem)});
            INFO(level.id << ", case " << one.id);
            CHECK(ratio <= 1);
            worst[level.id] = std::max(worst[level.id], ratio);
        });
    double random = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = sdpa().random(seed);
        const double ratio = worst_ratio(sdpa().plain(problem), {truth_of(problem)});
        if (!(ratio <= 1)) FAIL_CHECK("random problem " << seed << ", route " << problem.route << ": " << ratio);
        if (problem.array("out").dtype == Dtype::f32) random = std::max(random, ratio);
    }
    std::string report = "largest error / bound of plain float32:";
    for (const auto& [level, ratio] : worst) report += " " + level + " " + std::to_string(ratio) + ",";
    WARN(report << " random (float32 output) " << random);
    CHECK(random < 0.5); // a bound that right code uses up is one that other right code breaks
}

TEST_CASE("the bound rejects logits of half and TF32 precision on the cases with many short rows") {
    const auto half_logits = [](double x) {
        return static_cast<double>(static_cast<float>(half(static_cast<float>(x))));
    };
    const auto tf32 = [](double x) { // 10 explicit mantissa bits, float32's exponents
        const double unit = x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) - 10);
        return std::nearbyint(x / unit) * unit;
    };
    for (const char* id : {"length-2", "length-3", "length-16", "length-31", "length-33", "length-127", "many-rows"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        CHECK(worst_ratio(with_lossy_inputs(problem, half_logits), {truth_of(problem)}) > 2);
        CHECK(worst_ratio(with_lossy_inputs(problem, tf32), {truth_of(problem)}) > 2);
    }
}

TEST_CASE("sums of 4096 equal weights: 0.25, and 0.5 with float16 sums") {
    const Problem quarter = problem_of("f16-quarter");
    CHECK(truth_of(quarter).value[0] == Approx(0.25).epsilon(1e-12));
    const Truth stuck = truth_of(quarter, "half-sums", 0);
    CHECK(stuck.value[0] == 0.5);
    CHECK(stuck.bound[0] < 1e-6); // ones are summed exactly, so nothing blurs where the sum sticks
    const Problem ones = problem_of("f16-ones");
    CHECK(truth_of(ones).value[0] == Approx(1.0).epsilon(1e-12));
    CHECK(truth_of(ones, "half-sums", 0).value[0] == 1.0);
    CHECK(truth_of(ones, "half-sums", 2).value[0] == 0.5); // only the sum of v sticks
}

TEST_CASE("two logits 7.875 apart: 0.99962, and 0.5 with scores in 16 bits") {
    for (const std::string type : {"f16", "bf16"}) {
        const Problem problem = problem_of(type + "-near-logits");
        CHECK(truth_of(problem).value[0] == Approx(0.99962).margin(5e-6));
        CHECK(truth_of(problem, "half-scores", 0).value[0] == Approx(0.5).epsilon(1e-12));
    }
}

TEST_CASE("causal with Lq = 5 and Lk = 2 leaves three rows of exactly 0") {
    const Problem problem = problem_of("causal-long");
    const Truth truth = truth_of(problem);
    const Reader reader(problem);
    reader.each_row([&](std::int64_t, std::int64_t, std::int64_t i, std::size_t at) {
        for (std::int64_t d = 0; d < reader.Dv; ++d, ++at)
            CHECK((truth.value[at] == 0 && truth.bound[at] == 0) == (i < 3));
    });
}

TEST_CASE("a stream's truth does not depend on how its keys are cut") {
    Problem whole = problem_of("merge-empty-rows");
    whole.find("split")->value = std::int64_t{-1};
    whole.find("blocks")->value = Array::of(Dtype::i64, {1}, std::vector<double>{11});
    const Truth one = truth_of(whole);
    const Truth many = truth_of(problem_of("merge-empty-rows"));
    CHECK(one.value == many.value);
    for (std::size_t at = 0; at < one.bound.size(); ++at)
        CHECK(one.bound[at] <= many.bound[at]); // rescales cost a little
}

TEST_CASE("a mistake is refused where it cannot be made") {
    const Problem plain_route = problem_of("default-scale");
    CHECK_FALSE(sdpa().oracle(plain_route, "half-sums", 0));        // nothing is stored in 16 bits
    CHECK_FALSE(sdpa().oracle(plain_route, "merge-overwrites", 0)); // no states
    CHECK_FALSE(sdpa().oracle(plain_route, "alibi-sign", 0));
    CHECK_FALSE(sdpa().oracle(problem_of("repeated-batch"), "strides-ignored", 0)); // it would read out of range
    CHECK_FALSE(sdpa().oracle(problem_of("narrow-values"), "value-width-as-d", 0));
    CHECK_FALSE(sdpa().oracle(plain_route, "no-such-mistake", 0));
    CHECK_FALSE(sdpa().oracle(plain_route, "scale-by-d", 1)); // no such form
}

TEST_CASE("float32's own limits are kept where they decide a mistake's value") {
    const Problem hot = problem_of("overflow"); // rows at 40, 95, 60, 100 and 50
    const Truth truth = truth_of(hot, "no-max-subtraction", 0);
    const Reader reader(hot);
    reader.each_row([&](std::int64_t, std::int64_t, std::int64_t i, std::size_t at) {
        CHECK(std::isnan(truth.value[at]) == (i == 1 || i == 3));
        if (!std::isnan(truth.value[at])) CHECK(truth.bound[at] > 0);
    });
    const Problem low = problem_of("far-below"); // rows at -20, -160, -400 and -30
    const Truth vanished = truth_of(low, "max-from-zero", 1);
    Reader(low).each_row([&](std::int64_t, std::int64_t, std::int64_t i, std::size_t at) {
        CHECK((vanished.value[at] == 0) == (i == 1 || i == 2));
    });
}

TEST_CASE("what may be asked: the contract's preconditions") {
    Problem problem = problem_of("grouped");
    CHECK(sdpa().valid(problem));
    const auto broken = [&](const char* field, const Array& array) {
        Problem other = problem;
        other.find(field)->value = array;
        return !sdpa().valid(other);
    };
    CHECK(broken("k", Array::zeros(Dtype::f32, {2, 4, 7, 3})));   // 4 does not divide 6
    CHECK(broken("v", Array::zeros(Dtype::f32, {2, 3, 6, 4})));   // k has 7 keys
    CHECK(broken("out", Array::zeros(Dtype::f32, {2, 6, 5, 3}))); // v is 4 wide
    CHECK(broken("mask", Array::zeros(Dtype::boolean, {2, 3, 5, 7})));
    CHECK_FALSE(broken("mask", Array::zeros(Dtype::boolean, {1, 6, 1, 7})));

    Problem nan = problem_of("nan-values");
    CHECK(sdpa().valid(nan));
    nan.find("mask")->value = {};
    CHECK_FALSE(sdpa().valid(nan)); // now the NaN is attended
}
