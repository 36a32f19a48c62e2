// The gradients of `sdpa`: the analytic ones against differences of the output, and against what must hold of them.
#include "core/random.hpp"
#include "exercises/sdpa/reader.hpp"

#include <array>

using namespace assay;
using namespace assay::sdpa_test;

namespace {

Truths gradients_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const std::optional<Truths> truths = sdpa().oracle(problem, mistake, form);
    REQUIRE(truths);
    REQUIRE(truths->size() == 3);
    return *truths;
}

Array& array_in(Problem& problem, std::string_view name) { return std::get<Array>(problem.find(name)->value); }

/// The same shapes, masks and scale with contiguous inputs in steps of 2^-8, so that small differences are exact.
Problem in_steps(Problem problem) {
    Random random(5, problem.route);
    for (const char* name : {"q", "k", "v", "dout"}) {
        Array& array = array_in(problem, name);
        std::vector<double> values;
        for (std::int64_t n = 0; n < array.size(); ++n) values.push_back(std::round(random.normal() * 256) / 256);
        array = Array::of(Dtype::f32, array.extents, values);
    }
    return problem;
}

/// sum(dout * out), out by the forward oracle.
double loss_of(const Problem& backward) {
    Problem forward;
    forward.route = "attention";
    for (const Field& field : backward.fields)
        if (field.name != "dout" && field.name != "dq" && field.name != "dk" && field.name != "dv")
            forward.fields.push_back(field);
    const Array& dout = backward.array("dout");
    forward.fields.push_back({"out", Array::zeros(Dtype::f32, dout.extents), {"B", "Hq", "Lq", "Dv"}});
    const Truth out = truth_of(forward);
    const std::vector<double> weights = dout.values();
    double loss = 0;
    for (std::size_t n = 0; n < weights.size(); ++n) loss += weights[n] * out.value[n];
    return loss;
}

/// Central difference of fourth order in the element at `at` of `name`.
double difference(Problem& problem, const char* name, const Index& at) {
    const double h = 0x1p-9;
    Array& array = array_in(problem, name);
    const double x = array.at(at);
    const auto loss = [&](double shift) {
        array.set(at, x + shift);
        return loss_of(problem);
    };
    const double slope = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h);
    array.set(at, x);
    return slope;
}

/// k and v with a head of their own for each query head.
Problem ungrouped(Problem problem) {
    const std::int64_t Hq = problem.array("q").extents[1], group = Hq / problem.array("k").extents[1];
    std::vector<std::int64_t> heads;
    for (std::int64_t h = 0; h < Hq; ++h) heads.push_back(h / group);
    for (const char* name : {"k", "v"}) array_in(problem, name) = problem.array(name).take(1, heads);
    array_in(problem, "dk") = Array::zeros(Dtype::f32, problem.array("k").extents);
    array_in(problem, "dv") = Array::zeros(Dtype::f32, problem.array("v").extents);
    return problem;
}

const char* const with_small_logits[] = {
    "grad-default-scale",      "grad-given-scale", "grad-one-key",      "grad-square",
    "grad-zero-scale",         "grad-mask",        "grad-causal-short", "grad-mask-and-causal",
    "grad-single-rows",        "grad-causal-long", "grad-unseen-keys",  "grad-grouped-of-three",
    "grad-grouped-empty-head", "grad-decode"};

} // namespace

TEST_CASE("the analytic gradients are the slopes of the output: shapes, scales, masks, causal, groups, empty rows") {
    for (const char* id : with_small_logits) {
        Problem problem = in_steps(problem_of(id));
        const Truths truths = gradients_of(problem);
        const std::array<const char*, 3> inputs{"q", "k", "v"};
        for (std::size_t n = 0; n < 3; ++n) {
            double worst = 0;
            std::size_t at = 0;
            // every third element of the larger ones: each costs four forward passes
            const std::size_t step = truths[n].value.size() > 60 ? 3 : 1;
            for_each_index(truths[n].extents, [&](const Index& index) {
                const std::size_t here = at++;
                if (here % step != 0) return;
                worst = std::max(worst, std::fabs(truths[n].value[here] - difference(problem, inputs[n], index)));
            });
            INFO(id << ", d" << inputs[n]);
            CHECK(worst < 1e-8);
        }
    }
}

TEST_CASE("differences tell each wrong gradient") {
    // What the test above could not see would be no test: the mistakes are farther away than its tolerance.
    Problem problem = in_steps(problem_of("grad-grouped-of-three"));
    const Truths right = gradients_of(problem);
    for (const Mistake& mistake : sdpa().mistakes)
        for (int form = 0; form < mistake.forms(); ++form) {
            if (mistake.levels[static_cast<std::size_t>(form)] != "gradients") continue;
            // ordinary logits, contiguous tensors, no empty row: these do not show here
            const std::string& id = mistake.id;
            if (id == "no-max-subtraction" || id.find("strides") != std::string::npos || id.rfind("empty-row", 0) == 0)
                continue;
            const std::optional<Truths> wrong = sdpa().oracle(problem, mistake.id, form);
            if (!wrong) continue;
            INFO(mistake.id << ", form " << form);
            bool differs = false;
            for (std::size_t n = 0; n < 3; ++n)
                for (std::size_t at = 0; at < right[n].value.size(); ++at)
                    differs = differs || !(std::fabs((*wrong)[n].value[at] - right[n].value[at]) < 1e-4);
            CHECK(differs);
        }
}

TEST_CASE("dk and dv of a group are the sums over heads that have keys of their own") {
    for (const char* id : {"grad-grouped", "grad-grouped-of-three", "grad-grouped-empty-head"}) {
        INFO(id);
        const Problem problem = problem_of(id);
        const Truths grouped = gradients_of(problem), apart = gradients_of(ungrouped(problem));
        CHECK(grouped[0].value == apart[0].value);
        const auto Hq = static_cast<std::size_t>(problem.array("q").extents[1]);
        const auto Hkv = static_cast<std::size_t>(problem.array("k").extents[1]);
        for (const std::size_t n : {std::size_t{1}, std::size_t{2}}) {
            const std::size_t head = static_cast<std::size_t>(grouped[n].extents[2] * grouped[n].extents[3]);
            double worst = 0;
            for (std::size_t at = 0; at < grouped[n].value.size(); ++at) {
                const std::size_t b = at / (Hkv * head), g = at / head % Hkv;
                double sum = 0;
                for (std::size_t h = g * (Hq / Hkv); h < (g + 1) * (Hq / Hkv); ++h)
                    sum += apart[n].value[(b * Hq + h) * head + at % head];
                worst = std::max(worst, std::fabs(sum - grouped[n].value[at]));
            }
            CHECK(worst < 1e-13);
        }
    }
}

TEST_CASE("exactly 0, with no allowance: dq of a row that may attend nothing, dk and dv of a key that nobody attends") {
    int rows = 0, keys = 0;
    for (const Level& level : sdpa().levels)
        for (const Case& one : level.cases) {
            const Problem problem = one.make(2);
            if (!is_backward(problem)) continue;
            INFO(one.id);
            const Truths truths = gradients_of(problem);
            const Reader reader(problem);
            std::vector<int> seen(static_cast<std::size_t>(reader.B * reader.Hkv * reader.Lk));
            const auto is_zero = [](const Truth& truth, std::size_t row) {
                const auto width = static_cast<std::size_t>(truth.extents[3]);
                for (std::size_t at = row * width; at < (row + 1) * width; ++at)
                    if (truth.value[at] != 0 || truth.bound[at] != 0) return false;
                return true;
            };
            std::size_t row = 0;
            reader.each_row([&](std::int64_t b, std::int64_t h, std::int64_t i, std::size_t) {
                const Row own = reader.row(b, h, i);
                CHECK(is_zero(truths[0], row) == own.s.empty());
                rows += own.s.empty() ? 1 : 0;
                for (const std::int64_t j : own.key)
                    ++seen[static_cast<std::size_t>((b * reader.Hkv + h / (reader.Hq / reader.Hkv)) * reader.Lk + j)];
                ++row;
            });
            for (std::size_t at = 0; at < seen.size(); ++at) {
                CHECK(is_zero(truths[1], at) == (seen[at] == 0));
                CHECK(is_zero(truths[2], at) == (seen[at] == 0));
                keys += seen[at] == 0 ? 1 : 0;
            }
        }
    CHECK(rows > 50);
    CHECK(keys > 20);
}

TEST_CASE("gradients where the contract's preconditions do not hold are not asked for") {
    const Problem problem = problem_of("grad-grouped");
    CHECK(sdpa().valid(problem));
    const auto broken = [&](const char* field, const Array& array) {
        Problem other = problem;
        other.find(field)->value = array;
        return !sdpa().valid(other);
    };
    CHECK(broken("dout", Array::zeros(Dtype::f32, {2, 6, 5, 3}))); // v is 4 wide
    CHECK(broken("dk", Array::zeros(Dtype::f32, {2, 6, 7, 3})));   // k has three heads
    CHECK(broken("dq", Array::zeros(Dtype::f32, {2, 6, 5, 4})));
    Array nan = problem.array("dout");
    nan.set(Index{0, 0, 0, 0}, std::nan(""));
    CHECK(broken("dout", nan));
    CHECK_FALSE(sdpa().oracle(problem, "dq-dk-swapped", 0)); // they have different shapes
    CHECK_FALSE(sdpa().oracle(problem, "scale-by-d", 0));    // a mistake of the forward pass alone
    CHECK_FALSE(sdpa().oracle(problem_of("grouped"), "delta-missing", 0));
    CHECK_FALSE(sdpa().oracle(problem_of("grad-dout-one-number"), "dout-strides-ignored", 0)); // out of range
}
