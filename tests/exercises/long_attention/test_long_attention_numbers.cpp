// The worked numbers of the statement, costs counted pair by pair and crossovers found by search, limits in which the
// methods are exact, and what is not valid.
#include "exercises/long_attention/long_attention.hpp"

#include <algorithm>

using namespace assay;
using namespace assay::long_attention_test;

namespace {

const std::vector<std::int64_t> worked{12, 2, 5, 2, 4, 3, 2, 7};

double cost(std::int64_t how, const std::vector<std::int64_t>& setup, const char* name) {
    return number(truths_of(cost_problem(how, setup)), name);
}

bool all_unset(const Problem& problem) {
    const Truths truths = truths_of(problem);
    return std::all_of(truths.begin(), truths.end(),
                       [](const Truth& truth) { return std::isnan(truth.value.front()); });
}

void are(const Truth& truth, const Numbers& values, double within) {
    REQUIRE(truth.value.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::fabs(truth.value[i] - values[i]) < within);
}

} // namespace

TEST_CASE("long_attention: the statement's table of costs") {
    const char* const names[] = {"pairs", "flops_prepare", "flops_scores", "flops_values", "exps", "bytes", "peak"};
    const Numbers table[] = {{288, 192, 66, 48, 0, 0},           {0, 0, 0, 960, 0, 3840},
                             {2880, 1920, 660, 480, 1320, 1848}, {2880, 1920, 660, 480, 1440, 2016},
                             {288, 240, 66, 48, 240, 336},       {3264, 1440, 960, 1312, 960, 1100},
                             {1152, 176, 132, 88, 160, 224}};
    for (std::size_t row = 0; row < 7; ++row)
        for (std::int64_t how = 0; how < 6; ++how) {
            INFO(names[row] << ", method " << how);
            CHECK(cost(how, worked, names[row]) == table[row][static_cast<std::size_t>(how)]);
        }
}

TEST_CASE("long_attention: pairs are those that a loop over queries and keys counts") {
    for (const std::int64_t L : {1, 6, 12, 24})
        for (const std::int64_t w : {1, 2, 5, 6, 30})
            for (const std::int64_t B : {1, 2, 3, 6}) {
                double window = 0, blocks = 0;
                for (std::int64_t i = 0; i < L; ++i)
                    for (std::int64_t j = 0; j < L; ++j) {
                        window += j <= i && i - j < w ? 1 : 0;
                        blocks += j / B <= i / B ? 1 : 0;
                    }
                CHECK(cost(2, {L, 1, 4, 2, B, w, 1, 1}, "pairs") == window);
                if (L % B == 0) CHECK(cost(1, {L, 1, 4, 2, B, w, 1, 1}, "pairs") == blocks);
            }
}

TEST_CASE("long_attention: the first length is the first at which naive costs more") {
    for (const auto& [D, r, m] : {std::array<std::int64_t, 3>{64, 96, 160}, {5, 3, 7}, {16, 8, 33}, {1, 1, 1}}) {
        const Truths truths = truths_of(crossover_problem(D, r, m));
        const auto first = [&](std::int64_t how, const char* name) {
            std::int64_t L = 1;
            while (!(cost(0, {L, 1, D, 1, 1, 1, r, m}, name) > cost(how, {L, 1, D, 1, 1, 1, r, m}, name))) ++L;
            return static_cast<double>(L);
        };
        CHECK(number(truths, "low_rank_first") == first(3, "flops"));
        CHECK(number(truths, "linear_first") == first(4, "flops"));
        CHECK(number(truths, "random_first") == first(5, "flops"));
        CHECK(number(truths, "memory_first") == first(4, "peak"));
        std::int64_t L = 1;
        while (2 * L * D <= m * D + m) ++L;
        CHECK(number(truths, "cache_first") == static_cast<double>(L));
    }
    const Truths stated = truths_of(crossover_problem(64, 96, 160));
    CHECK(number(stated, "random_token") == 82656);
    CHECK(number(stated, "linear_equal") == 64.75);
    CHECK(number(stated, "memory_equal") == Approx(46.303).epsilon(1e-5));
    CHECK(number(stated, "cache_equal") == 81.25);
}

TEST_CASE("long_attention: invalid counts get nothing, those that are not read may be anything") {
    for (std::int64_t how = 0; how < 6; ++how)
        for (std::size_t field = 0; field < 8; ++field) {
            const std::int64_t reads[] = {-1, 4, 5, 6, -1, 7}; // beside the first four
            std::vector<std::int64_t> setup = worked;
            setup[field] = 0;
            const bool read = field < 4 || static_cast<std::int64_t>(field) == reads[how];
            INFO("method " << how << ", field " << field);
            CHECK(all_unset(cost_problem(how, setup)) == read);
        }
    CHECK(all_unset(cost_problem(1, {12, 2, 5, 2, 5, 3, 2, 7}))); // 5 does not divide 12
    CHECK(all_unset(crossover_problem(0, 1, 1)));
    CHECK(all_unset(crossover_problem(1, -2, 1)));
    CHECK(all_unset(crossover_problem(1, 1, 0)));
}

TEST_CASE("long_attention: the statement's worked example") {
    const Numbers q{1, 0, 0, 1, 1, 1, 2, 0}, k{1, 1, 0, -1, 2, 0, 0, 1}, v{1, 2, 3, 4};
    const auto window = [&](std::int64_t w) {
        return truths_of(one_head("sliding_window", q, k, v, {{"window", w, {}}}))[0];
    };
    are(window(4), {1, 1.195570, 2, 2.642824}, 6e-7);
    are(window(2), {1, 1.195570, 2.892958, 3.055807}, 6e-7);
    are(window(1), v, 1e-15);
    const std::vector<Field> sink{{"window", std::int64_t{2}, {}}, {"globals", std::int64_t{1}, {}}};
    are(truths_of(one_head("window_with_globals", q, k, v, sink))[0], {1, 1.195570, 2, 2.672001}, 6e-7);
    are(truths_of(one_head("linear_attention", q, k, v, {{"eps", 0.5, {}}}))[0],
        {0.923077, 1.150048, 1.948013, 2.409411}, 6e-7);
    const Array e = Array::of(Dtype::f32, {2, 4}, Numbers{1, 1, 0, 0, 0, 0, 1, 1});
    const Array f = Array::of(Dtype::f32, {2, 4}, Numbers{.5, .5, 0, 0, 0, 0, .5, .5});
    are(truths_of(one_head("low_rank", q, k, v, {{"e", e, {}}, {"f", f, {}}}))[0],
        {2.839523, 2.839523, 3.108859, 3.108859}, 6e-7);
    const Truths compared = truths_of(one_head("compare", q, k, v, sink));
    CHECK(number(compared, "pairs_exact") == 10);
    CHECK(number(compared, "pairs_kept") == 9);
    CHECK(number(compared, "share") == 0.9);
    CHECK(number(compared, "flops_saved") == 6);
    are(item(compared, "mean_mass"), {0.989146}, 6e-7);
    are(item(compared, "least_mass"), {0.956582}, 6e-7);
    are(item(compared, "max_error"), {0.029177}, 6e-7);
    are(item(compared, "relative_error"), {0.007966}, 6e-7);
}

TEST_CASE("long_attention: where the methods meet") {
    // Random features estimate exp(q·k / sqrt(D)) without bias: with many of them the output nears exact attention.
    Random random(5, "many features");
    const auto normal = [&](Index extents, double size) {
        return Array::generate(Dtype::f32, extents, [&](const Index&) { return size * random.normal(); });
    };
    Problem features{"random_features",
                     {{"q", normal({1, 12, 4}, 0.7), {}},
                      {"k", normal({1, 12, 4}, 0.7), {}},
                      {"v", normal({1, 12, 2}, 1), {}},
                      {"omega", normal({20000, 4}, 1), {}},
                      {"out", Array::zeros(Dtype::f32, {1, 12, 2}), {}}}};
    Problem exact = features;
    exact.route = "sliding_window";
    exact.fields[3] = {"window", std::int64_t{12}, {}};
    const Truth near = truths_of(features)[0], right = truths_of(exact)[0];
    for (std::size_t i = 0; i < right.value.size(); ++i) CHECK(std::fabs(near.value[i] - right.value[i]) < 0.05);
    // A window over the whole sequence, and a global token for each, lose nothing.
    Problem compared = exact;
    compared.route = "compare";
    compared.fields.pop_back();
    compared.fields.push_back({"globals", std::int64_t{0}, {}});
    for (const char* name : {"q", "k", "v"}) {
        Array& array = std::get<Array>(compared.find(name)->value);
        array = Array::of(Dtype::f64, array.extents, array.values());
    }
    const Truths none = truths_of(compared);
    CHECK(number(none, "relative_error") == 0);
    CHECK(number(none, "mean_mass") == Approx(1).epsilon(1e-15));
    compared.find("window")->value = std::int64_t{1};
    CHECK(number(truths_of(compared), "relative_error") > 0.1);
    compared.find("globals")->value = std::int64_t{12};
    CHECK(number(truths_of(compared), "relative_error") == 0);
}

TEST_CASE("long_attention: what breaks the contract is not valid") {
    const auto broken = [](const char* id, const std::function<void(Problem&)>& change) {
        Problem problem = problem_of(id);
        REQUIRE(exercise().valid(problem));
        change(problem);
        return !exercise().valid(problem);
    };
    const auto set = [](const char* name, double value) {
        return [=](Problem& p) { std::get<Array>(p.find(name)->value).set(Index{0, 0, 0}, value); };
    };
    CHECK(broken("window-5-of-13", [](Problem& p) { p.find("window")->value = std::int64_t{0}; }));
    CHECK(broken("globals-2", [](Problem& p) { p.find("globals")->value = std::int64_t{-1}; }));
    CHECK(broken("window-5-of-13", set("q", INFINITY)));
    CHECK(broken("window-5-of-13", set("v", 2e3)));
    CHECK(broken("linear-11", set("k", 11)));
    CHECK(broken("linear-11", [](Problem& p) { p.find("eps")->value = 0.0; }));
    CHECK(broken("random-11", set("k", 40))); // exponents more than 60 apart
    CHECK(broken("rank-5-of-11", [](Problem& p) { p.find("e")->value = Array::zeros(Dtype::f32, {5, 10}); }));
    CHECK(broken("error-12", [](Problem& p) {
        Array& v = std::get<Array>(p.find("v")->value);
        v = Array::zeros(Dtype::f64, v.extents);
    }));
    CHECK(broken("cross-64", [](Problem& p) { p.find("rank")->value = std::int64_t{2000000}; }));
    for_each_case(0, [&](const Level&, const Case& one, const Problem& problem) {
        for (std::size_t i = 0; i < problem.fields.size(); ++i) {
            INFO(one.id << ", " << problem.fields[i].name);
            Problem without = problem; // shrinking tries it
            without.fields[i].value = {};
            CHECK(!exercise().valid(without));
        }
    });
}
