// Var: derivatives against central differences, the conventions at ties and ends, and what must not be mixed.
#include "catch.hpp"

#include "core/random.hpp"
#include "core/tape.hpp"

#include <cmath>
#include <functional>
#include <limits>

using namespace assay;

namespace {

using Formula = std::function<Var(const std::vector<Var>&)>;

std::vector<double> gradient_of(const Formula& formula, const std::vector<double>& at) {
    Tape tape;
    std::vector<Var> leaves;
    for (const double x : at) leaves.push_back(tape.leaf(x));
    tape.run_backward(formula(leaves));
    std::vector<double> gradient;
    for (const Var& leaf : leaves) gradient.push_back(tape.gradient(leaf));
    return gradient;
}

double value_of(const Formula& formula, const std::vector<double>& at) {
    return formula(std::vector<Var>(at.begin(), at.end())).value();
}

/// Central differences with a step that balances rounding against curvature.
double difference(const Formula& formula, std::vector<double> at, std::size_t i) {
    const double h = 1e-6 * std::fmax(1, std::fabs(at[i])), x = at[i];
    at[i] = x + h;
    const double above = value_of(formula, at);
    at[i] = x - h;
    return (above - value_of(formula, at)) / (2 * h);
}

} // namespace

TEST_CASE("every operation of Var has the derivative that central differences give") {
    const std::pair<const char*, Formula> formulas[] = {
        {"sum and difference", [](auto& x) { return x[0] + x[1] - x[2] + 3 - x[0]; }},
        {"product", [](auto& x) { return x[0] * x[1] * x[2] * x[0]; }},
        {"quotient", [](auto& x) { return x[0] / x[1] / (x[2] * x[2] + 1); }},
        {"negation", [](auto& x) { return -(+x[0]) * x[1]; }},
        {"exp", [](auto& x) { return exp(x[0] - x[1]) * x[2]; }},
        {"log", [](auto& x) { return log(x[0] * x[0] + exp(x[1])); }},
        {"min", [](auto& x) { return min(x[0] * x[1], x[2]); }},
        {"max", [](auto& x) { return max(x[0], max(x[1], x[2] * x[2])); }},
        {"clamp", [](auto& x) { return clamp(x[0], -0.5, 0.5) * x[1] + clamp(x[2], -10, 10); }},
        {"sum of many", [](auto& x) { return sum(x.data(), 3) * sum(x.data() + 1, 2); }},
        {"assignment",
         [](auto& x) {
             Var y = x[0];
             y += x[1];
             y *= x[2];
             y -= x[0] * 2;
             y /= x[1] * x[1] + 1;
             return y;
         }},
    };
    Random random(7);
    for (const auto& [name, formula] : formulas)
        for (int trial = 0; trial < 50; ++trial) {
            std::vector<double> at;
            for (int i = 0; i < 3; ++i) at.push_back(random.normal() + 0.01);
            const std::vector<double> gradient = gradient_of(formula, at);
            for (std::size_t i = 0; i < at.size(); ++i) {
                const double expected = difference(formula, at, i);
                INFO(name << ", input " << i);
                // Steps across a kink are no derivative; there are few.
                if (std::fabs(gradient[i] - expected) > 1e-4 * std::fmax(1, std::fabs(expected))) {
                    std::vector<double> nearby = at;
                    nearby[i] += 1e-5;
                    const bool kink = std::fabs(gradient_of(formula, nearby)[i] - gradient[i]) > 1e-3;
                    nearby[i] -= 2e-5;
                    CHECK((kink || std::fabs(gradient_of(formula, nearby)[i] - gradient[i]) > 1e-3));
                }
            }
        }
}

TEST_CASE("ties share the gradient, and the ends of a clamp keep it") {
    CHECK(gradient_of([](auto& x) { return min(x[0], x[1]); }, {2, 2}) == std::vector<double>{0.5, 0.5});
    CHECK(gradient_of([](auto& x) { return max(x[0], x[1]); }, {2, 2}) == std::vector<double>{0.5, 0.5});
    const Formula clamped = [](auto& x) { return clamp(x[0], -1, 1); };
    CHECK(gradient_of(clamped, {1}) == std::vector<double>{1});
    CHECK(gradient_of(clamped, {-1}) == std::vector<double>{1});
    CHECK(gradient_of(clamped, {1.5}) == std::vector<double>{0});
    CHECK(value_of(clamped, {-7}) == -1);
}

TEST_CASE("a detached number is a constant, and so is a value") {
    CHECK(gradient_of([](auto& x) { return exp(x[0] - x[0].detach()); }, {0.3}) == std::vector<double>{1});
    CHECK(gradient_of([](auto& x) { return exp(x[0] - x[0]); }, {0.3}) == std::vector<double>{0});
    CHECK(gradient_of([](auto& x) { return Var(x[0].value()); }, {0.3}) == std::vector<double>{0});
}

TEST_CASE("a NaN that is not selected leaves no trace, one that is multiplied by zero does") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> selected =
        gradient_of([](auto& x) { return x[0] * 2 + (x[1] > 0 ? exp(x[1]) : Var(0)); }, {1, nan});
    CHECK(selected == std::vector<double>{2, 0});
    CHECK(std::isnan(gradient_of([](auto& x) { return x[0] * 2 + 0 * x[1] * x[1]; }, {1, nan})[1]));
    CHECK(std::isnan(value_of([](auto& x) { return min(x[0], x[1]); }, {1, nan})));
    CHECK(std::isnan(value_of([](auto& x) { return max(x[0], x[1]); }, {nan, 1})));
    CHECK(std::isnan(value_of([](auto& x) { return clamp(x[0], 0, 1); }, {nan})));
}

TEST_CASE("a Var of an earlier call is noticed") {
    Tape tape;
    const Var old = tape.leaf(1);
    tape.clear();
    const Var fresh = tape.leaf(2);
    CHECK_THROWS_WITH(old + fresh, Catch::Contains("earlier call"));
    tape.run_backward(old); // a constant of this call: no gradient
    CHECK(tape.gradient(fresh) == 0);
}
