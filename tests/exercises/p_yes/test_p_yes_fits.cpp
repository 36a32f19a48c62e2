// The oracle's fits against an optimiser that only compares losses, and its bins and decisions against a count example
// by example, over random data.
#include "core/random.hpp"
#include "p_yes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace assay;
using namespace assay::p_yes_test;

namespace {

using real = long double;

/// -ln of the probability that was given to the label, straight from its definition.
real loss(const Examples& examples, real a, real b) {
    real sum = 0, total = 0;
    for (const Example& one : examples) {
        const real x = a * one.x + b;
        sum += one.weight * std::log1p(std::exp(one.yes ? -x : x));
        total += one.weight;
    }
    return sum / total;
}

/// Golden section. Comparing losses of relative precision 2^-64, it finds a minimum to about 1e-9.
real lowest(real low, real high, const std::function<real(real)>& f) {
    const real part = (std::sqrt(5.0L) - 1) / 2;
    for (int step = 0; step < 75; ++step) {
        const real c = high - part * (high - low), d = low + part * (high - low);
        (f(c) < f(d) ? high : low) = f(c) < f(d) ? d : c;
    }
    return (low + high) / 2;
}

Examples draw(Random& random, int n) {
    Examples examples;
    const double gain = random.uniform(0.2, 1.5), shift = random.uniform(-1, 1);
    for (int i = 0; i < n; ++i) {
        const double z = 2 * random.normal();
        examples.push_back({z, random.chance(1 / (1 + std::exp(-(gain * z + shift)))), random.uniform(0.25, 2)});
    }
    return examples;
}

} // namespace

TEST_CASE("p_yes: fits by Newton and bisection against golden section", "[p_yes]") {
    Random random(7, "fits");
    int temperatures = 0, platts = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const Examples examples = draw(random, static_cast<int>(random.integer(6, 14)));
        const Problem problem = calibrate(examples);
        if (!exercise().valid(problem)) continue;
        const Truths truths = truths_of(problem);
        CHECK(number(truths, "raw_loss") == Approx(static_cast<double>(loss(examples, 1, 0))).epsilon(1e-14));
        if (number(truths, "temperature_state") == 0) {
            ++temperatures;
            const real beta = lowest(0.01L, 25, [&](real x) { return loss(examples, x, 0); });
            const Truth& T = item(truths, "temperature");
            CHECK(std::fabs(static_cast<double>(1 / beta) - T.value[0]) <= T.bound[0] / 50);
            CHECK(number(truths, "temperature_loss") <= static_cast<double>(loss(examples, beta, 0)) + 1e-15);
            // the bound is what its derivation says: there the excess is 1e-12
            const real off = loss(examples, 1 / static_cast<real>(T.value[0] + T.bound[0]), 0);
            CHECK(static_cast<double>(off - loss(examples, beta, 0)) == Approx(1e-12).epsilon(0.01));
        }
        if (number(truths, "platt_state") != 0) continue;
        ++platts;
        if (platts > 25) continue; // a section within a section is 10,000 losses
        const auto intercept = [&](real a) { return lowest(-60, 60, [&](real b) { return loss(examples, a, b); }); };
        const real a = lowest(-25, 25, [&](real x) { return loss(examples, x, intercept(x)); }), b = intercept(a);
        CHECK(std::fabs(static_cast<double>(a) - number(truths, "slope")) <= item(truths, "slope").bound[0] / 50);
        CHECK(std::fabs(static_cast<double>(b) - number(truths, "intercept")) <=
              item(truths, "intercept").bound[0] / 50);
        // along the bound's edge, with the best intercept, the excess is 1e-12 as well
        const real edge = static_cast<real>(number(truths, "slope")) + item(truths, "slope").bound[0];
        CHECK(static_cast<double>(loss(examples, edge, intercept(edge)) - loss(examples, a, b)) ==
              Approx(1e-12).epsilon(0.01));
    }
    CHECK(temperatures > 100);
    CHECK(platts > 100);
}

TEST_CASE("p_yes: a state is reached in the limit", "[p_yes]") {
    Random random(9, "limits");
    int seen = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const Examples examples = draw(random, static_cast<int>(random.integer(2, 5)));
        const Truths truths = truths_of(calibrate(examples));
        const double state = number(truths, "temperature_state");
        if (state == 3) // ever larger factors: the loss falls all the way, to what is reported
            CHECK(static_cast<double>(loss(examples, 1e5L, 0)) ==
                  Approx(number(truths, "temperature_loss")).margin(1e-9));
        if (state == 4) // ever smaller ones: it falls to ln 2
            CHECK(loss(examples, 1e-3L, 0) > loss(examples, 1e-4L, 0));
        if (number(truths, "platt_state") == 3) { // along one direction it falls to 0
            real least = 1;
            for (const real sign : {1.0L, -1.0L})
                for (const Example& at : examples)
                    for (const Example& other : examples) {
                        const real a = sign * 1e4L, middle = (static_cast<real>(at.x) + other.x) / 2;
                        least = std::min(least, loss(examples, a, -a * middle));
                    }
            CHECK(least < 1e-3L);
        }
        seen += state >= 3;
    }
    CHECK(seen > 40);
}

TEST_CASE("p_yes: bins, error and cost, counted example by example", "[p_yes]") {
    Random random(11, "bins");
    for (int trial = 0; trial < 200; ++trial) {
        Examples examples;
        const std::int64_t bins = random.integer(1, 12);
        for (std::int64_t i = random.integer(1, 20); i > 0; --i)
            examples.push_back({random.uniform(), random.chance(0.5), static_cast<double>(random.integer(0, 4))});
        examples.push_back({1, true, 1});
        examples.push_back({0, false, 1});
        const double false_yes = random.uniform(0.5, 4), false_no = random.uniform(0.5, 4);
        const Problem problem = assess(examples, bins, false_yes, false_no);
        REQUIRE(exercise().valid(problem));
        const Truths truths = truths_of(problem);
        real total = 0, ece = 0, share = 0, cost = 0;
        for (const Example& one : examples) total += one.weight;
        for (std::int64_t m = 0; m < bins; ++m) {
            real gap = 0, weight = 0;
            for (const Example& one : examples) {
                const bool above = m == 0 || one.x > static_cast<double>(m) / static_cast<double>(bins);
                if (!above || one.x > static_cast<double>(m + 1) / static_cast<double>(bins)) continue;
                gap += one.weight * (static_cast<real>(one.yes) - one.x);
                weight += one.weight;
            }
            ece += std::fabs(gap) / total;
            CHECK(item(truths, "bin_weight").value[static_cast<std::size_t>(m)] ==
                  Approx(static_cast<double>(weight / total)));
        }
        for (const Example& one : examples) { // the cheaper answer by its expected cost
            const bool yes = one.x * false_no >= (1 - one.x) * false_yes;
            share += yes ? one.weight : 0;
            cost += one.weight * (yes == one.yes ? 0 : yes ? false_yes : false_no);
        }
        CHECK(number(truths, "ece") == Approx(static_cast<double>(ece)));
        CHECK(number(truths, "yes_share") == Approx(static_cast<double>(share / total)));
        CHECK(number(truths, "cost") == Approx(static_cast<double>(cost / total)).margin(1e-15));
    }
}
