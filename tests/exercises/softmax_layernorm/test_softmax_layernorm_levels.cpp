// The levels of `softmax_layernorm`: mistakes rejected where they belong and named alone, cases that earn their places,
// decisive inputs with the numbers that the statement gives, and random problems that cover the contract.
#include "exercises/softmax_layernorm/softmax_layernorm.hpp"
#include "judge/compare.hpp"
#include "judge/verify.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

using namespace assay;
using namespace assay::softmax_layernorm_test;

TEST_CASE("softmax_layernorm: every mistake is rejected where it belongs and named alone; every case earns its place") {
    std::vector<std::uint64_t> seeds{0, 20};
    if (std::getenv("ASSAY_LONG") != nullptr)
        for (std::uint64_t seed = 1; seed < 20; ++seed) seeds.push_back(seed);
    for (const std::uint64_t seed : seeds) {
        const SelfTest test = verify_oracle(exercise(), seed);
        for (const std::string& fault : test.faults) FAIL_CHECK("seed " << seed << ": " << fault);
        CHECK(test.right_oracle_passes);
        CHECK(test.mistakes.size() > 80);
        for (const MistakeTrial& trial : test.mistakes) {
            INFO(trial.mistake << ", form " << trial.form << ", seed " << seed);
            CHECK(trial.rejected_at == trial.belongs);
            CHECK(trial.named_right);
        }
        for (const CaseWorth& worth : test.cases) {
            INFO("case " << worth.id);
            CHECK(worth.earns_place);
        }
    }
}

TEST_CASE("all levels must pass, in order, and the contiguous ones come first") {
    std::vector<std::string> ids;
    for (const Level& one : exercise().levels) {
        CHECK(one.must);
        ids.push_back(one.id);
        for (const Case& c : one.cases) {
            INFO(c.id);
            CHECK(c.why.size() < 120);
            const Problem problem = c.make(3);
            CHECK(exercise().valid(problem));
            CHECK(std::find(one.functions.begin(), one.functions.end(), problem.route) != one.functions.end());
            if (one.id == "views") continue;
            for (const Field& field : problem.fields)
                if (const auto* array = std::get_if<Array>(&field.value)) {
                    CHECK(array->is_contiguous());
                    CHECK(array->size() > 0);
                }
        }
    }
    CHECK(ids == std::vector<std::string>{"softmax", "softmax-range", "log-softmax", "layernorm", "layernorm-precision",
                                          "softmax-backward", "layernorm-backward", "views"});
}

TEST_CASE("1, 0, 0, 0: 1.7320 and -0.5773, and with n - 1 in the variance 1.5 and -0.5") {
    const Problem problem = problem_of("one-hot");
    const std::vector<double> right = truths_of(problem)[0].value;
    const std::vector<double> wrong = truths_of(problem, "ddof-one", 0)[0].value;
    CHECK(std::fabs(right[0] - 1.7320) < 5e-5);
    CHECK(std::fabs(wrong[0] - 1.5) < 5e-5);
    for (std::size_t j = 1; j < 4; ++j) {
        CHECK(std::fabs(right[j] + 0.5773) < 5e-5);
        CHECK(std::fabs(wrong[j] + 0.5) < 5e-5);
    }
}

TEST_CASE("x of size 1e-4 tells where eps stands: by a factor near 30") {
    const Problem problem = problem_of("small");
    const Row gamma = vector_of(problem.array("gamma")), beta = vector_of(problem.array("beta"));
    const std::vector<double> right = truths_of(problem)[0].value;
    const std::vector<double> outside = truths_of(problem, "eps-outside-root", 0)[0].value;
    for_each_slice(problem, [&](const std::vector<Index>& slice) {
        for (std::size_t j = 0; j < slice.size(); ++j) {
            const std::size_t at = position(problem.array("x").extents, slice[j]);
            const double ratio =
                (outside[at] - static_cast<double>(beta[j])) / (right[at] - static_cast<double>(beta[j]));
            CHECK(ratio > 20);
            CHECK(ratio < 45);
        }
    });
}

TEST_CASE("mean of squares less squared mean: NaN or far off at 1e4, far off and never NaN at 1e3") {
    for (const char* id : {"mean-1e4", "mean-1e3"}) {
        std::size_t all = 0, nan = 0, off = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Problem problem = problem_of(id, seed);
            const Truth right = truths_of(problem)[0];
            const Truth wrong = truths_of(problem, "mean-of-squares", 0)[0];
            all += right.value.size();
            for (std::size_t i = 0; i < right.value.size(); ++i) {
                nan += std::isnan(wrong.value[i]) ? 1 : 0;
                off += std::fabs(wrong.value[i] - right.value[i]) > 10 * right.bound[i] ? 1 : 0;
            }
        }
        WARN(id << ": of " << all << " elements " << nan << " are NaN, " << off << " beyond ten times the bound");
        CHECK(nan + off > all / 2);
        if (std::string_view(id) == "mean-1e4")
            CHECK(nan > all / 5);
        else
            CHECK(nan == 0);
    }
}

TEST_CASE("a shift leaves softmax and layernorm as they are; a scale layernorm alone, with eps along") {
    const auto values = [](const char* id) { return truths_of(problem_of(id))[0].value; };
    const auto apart = [&](const char* a, const char* b) {
        const std::vector<double> x = values(a), y = values(b);
        REQUIRE(x.size() == y.size());
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::fabs(x[i] - y[i]));
        return worst;
    };
    CHECK(apart("middle", "moved") < 1e-15);
    CHECK(apart("middle", "stretched") > 0.1);
    CHECK(apart("affine-middle", "moved-slices") < 1e-12);
    CHECK(apart("affine-middle", "stretched-slices") < 1e-15);
}

TEST_CASE("softmax sums to 1; layernorm has mean 0 and biased variance v / (v + eps); the gradients sum to 0") {
    for_each_case(1, [](const Level&, const Case& one, const Problem& problem) {
        INFO(one.id);
        const Truth truth = truths_of(problem)[0];
        for_each_slice(problem, [&](const std::vector<Index>& slice) {
            Row y;
            for (const Index& at : slice) y.push_back(static_cast<Real>(truth.value[position(truth.extents, at)]));
            const Moments m = moments_of(y);
            const auto n = static_cast<Real>(y.size());
            if (problem.route == "softmax") CHECK(std::fabs(m.mean * n - 1) < 1e-12L);
            if (problem.route == "softmax_backward") CHECK(std::fabs(m.mean) < 1e-14L);
            if (problem.route == "layernorm_backward") CHECK(std::fabs(m.mean) <= 1e-12L * (1 + m.mean_size));
            if (problem.route != "layernorm") return;
            const Row gamma = vector_of(problem.array("gamma")), beta = vector_of(problem.array("beta"));
            if (std::any_of(gamma.begin(), gamma.end(), [](Real g) { return std::fabs(g) < 1e-3L; })) return;
            for (std::size_t j = 0; j < y.size(); ++j) y[j] = (y[j] - beta[j]) / gamma[j];
            const Moments bare = moments_of(y), of_x = moments_of(row_of(problem.array("x"), slice));
            const Real eps = static_cast<Real>(eps_of(problem));
            CHECK(std::fabs(bare.mean) < 1e-9L);
            CHECK(std::fabs(bare.variance - of_x.variance / (of_x.variance + eps)) < 1e-9L);
        });
    });
}

TEST_CASE("softmax_layernorm: 3000 random problems are valid and reach the corners of the contract") {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Problem problem = exercise().random(seed);
        if (!exercise().valid(problem)) FAIL_CHECK("random problem " << seed << " is not valid");
        CHECK(exercise().level_of(problem) == "views");
        const auto axis = static_cast<std::size_t>(problem.integer("axis"));
        const Array& x = problem.array("x");
        ++seen[problem.route];
        ++seen["axis " + std::to_string(axis)];
        seen["empty"] += x.size() == 0 ? 1 : 0;
        seen["one"] += x.extents[axis] == 1 ? 1 : 0;
        seen["long"] += x.extents[axis] > 14 ? 1 : 0;
        seen["strided"] += x.is_contiguous() ? 0 : 1;
        seen["repeated"] += x.size() > x.storage_elements() ? 1 : 0;
        for (const char* name : {"y", "dx", "dgamma", "dbeta"}) {
            const Field* out = problem.find(name);
            if (out == nullptr) continue;
            const auto& array = std::get<Array>(out->value);
            seen["strided output"] += array.is_contiguous() ? 0 : 1;
            if (array.size() > array.storage_elements())
                FAIL_CHECK("random problem " << seed << " has an output that overlaps itself");
        }
    }
    for (const char* what : {"softmax", "log_softmax", "softmax_backward", "layernorm", "layernorm_backward", "axis 0",
                             "axis 1", "axis 2", "empty", "one", "long", "strided", "repeated", "strided output"}) {
        INFO(what);
        CHECK(seen[what] >= 30);
    }
}

TEST_CASE("the worked examples of the statement") {
    const auto one = [](const Array& x, const char* route) {
        Problem problem;
        problem.route = route;
        const Array zeros = Array::zeros(Dtype::f32, x.extents);
        const auto vector = [](std::initializer_list<double> values) {
            return Array::of(Dtype::f32, {3}, std::vector<double>(values));
        };
        problem.fields = {{"x", x, {}},
                          {"dy", Array::of(Dtype::f32, {1, 1, 3}, std::vector<double>{1, 0, 0}), {}},
                          {"gamma", vector({1, 2, 1}), {}},
                          {"beta", vector({0, 1, 0}), {}},
                          {"axis", std::int64_t{2}, {}},
                          {"eps", 1e-5, {}},
                          {"y", zeros, {}},
                          {"dx", zeros, {}},
                          {"dgamma", vector({0, 0, 0}), {}},
                          {"dbeta", vector({0, 0, 0}), {}}};
        return truths_of(problem);
    };
    const Array x = Array::of(Dtype::f32, {1, 1, 3}, std::vector<double>{1, 2, 4});
    const auto are = [](const Truth& truth, const std::vector<double>& values) {
        for (std::size_t j = 0; j < values.size(); ++j) CHECK(std::fabs(truth.value[j] - values[j]) < 6e-7);
    };
    are(one(x, "softmax")[0], {0.042010, 0.114195, 0.843795});
    are(one(x, "log_softmax")[0], {-3.169846, -2.169846, -0.169846});
    are(one(x, "softmax_backward")[0], {0.040245, -0.004797, -0.035448});
    are(one(x, "layernorm")[0], {-1.069042, 0.465479, 1.336302});
    const Truths back = one(x, "layernorm_backward");
    are(back[0], {0.229082, -0.343620, 0.114538});
    are(back[1], {-1.069042, 0, 0});
    are(back[2], {1, 0, 0});
}

TEST_CASE("what breaks the contract is not valid") {
    const auto broken = [](const char* id, const std::function<void(Problem&)>& change) {
        Problem problem = problem_of(id);
        REQUIRE(exercise().valid(problem));
        change(problem);
        return !exercise().valid(problem);
    };
    CHECK(broken("middle", [](Problem& p) { p.find("axis")->value = std::int64_t{3}; }));
    CHECK(broken("middle", [](Problem& p) { p.find("axis")->value = std::int64_t{-1}; }));
    CHECK(broken("affine", [](Problem& p) { p.find("axis")->value = std::int64_t{0}; })); // gamma has 5 elements
    CHECK(broken("affine", [](Problem& p) { p.find("eps")->value = 0.0; }));
    for (const char* name : {"x", "gamma", "beta", "axis", "eps", "y"})
        CHECK(broken("affine", [name](Problem& p) { p.find(name)->value = {}; })); // shrinking tries it
    CHECK(broken("affine", [](Problem& p) { p.find("eps")->value = 2.0; }));
    CHECK(broken("middle", [](Problem& p) { std::get<Array>(p.find("x")->value).set(Index{0, 0, 0}, INFINITY); }));
    CHECK(broken("middle", [](Problem& p) { std::get<Array>(p.find("x")->value).set(Index{0, 0, 0}, 2e9); }));
}
