// The oracle of `sdpa` against a formulation of its own, and the decisive numbers of the statement.
#include "exercises/sdpa/reader.hpp"

using namespace assay;
using namespace assay::sdpa_test;

namespace {

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

} // namespace

TEST_CASE("the oracle agrees with softmax written without a maximum, on every case") {
    for_each_case(3, [](const Level&, const Case& one, const Problem& problem) { expect_truth(problem, one.id); });
}

TEST_CASE("the oracle agrees with softmax written without a maximum, on random problems") {
    for (std::uint64_t seed = 0; seed < 400; ++seed)
        if (const Problem problem = sdpa().random(seed); !is_backward(problem))
            expect_truth(problem, "seed " + std::to_string(seed));
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
