// The error bounds of `grpo`, tried: right ways to compute it that differ in every rounding stay within them, and
// float32 does not.
#include "exercises/grpo/variants.hpp"
#include "judge/compare.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <limits>

using namespace assay;
using namespace assay::grpo_test;

namespace {

double share(const Truths& truths, std::initializer_list<std::pair<const char*, Numbers>> answer) {
    Outputs outputs;
    for (const auto& [name, values] : answer)
        for (const Truth& truth : truths)
            if (truth.name == name) outputs.arrays.emplace_back(name, Array::of(Dtype::f64, truth.extents, values));
    return worst_ratio(outputs, truths);
}

std::uint64_t trials() { return std::getenv("ASSAY_LONG") != nullptr ? 20000 : 1500; }

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const Power power : {Power::plain, Power::quotient, Power::base_two})
        for (const Estimate estimate : {Estimate::plain, Estimate::expm1, Estimate::by_log})
            for (const Order order : {Order::plain, Order::backwards, Order::weights_first})
                all.push_back({power, estimate, order});
    return all;
}

/// Largest share of the bound that a way in T uses, over random problems and all cases.
template <class T> double advantages_share(Spread how, bool backwards) {
    double worst = 0;
    const auto try_one = [&](const Problem& problem) {
        if (!is_advantages(problem)) return;
        worst = std::max(worst, share(truths_of(problem), {{"advantage", advantages_by<T>(problem, how, backwards)}}));
    };
    for (std::uint64_t seed = 0; seed < trials(); ++seed) try_one(exercise().random(seed));
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) try_one(one.make(0));
    return worst;
}

template <class T> double loss_share(const Way& way) {
    double worst = 0;
    const auto try_one = [&](Problem problem) {
        if (is_advantages(problem)) return;
        problem.route = "gradient";
        const Loss own = loss_by<T>(batch_of(problem), way);
        const double one =
            share(truths_of(problem), {{"terms", own.terms}, {"loss", {own.loss}}, {"lp_new_grad", own.gradient}});
        worst = std::max(worst, one);
    };
    for (std::uint64_t seed = 0; seed < trials(); ++seed) try_one(exercise().random(seed));
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) try_one(one.make(0));
    return worst;
}

} // namespace

TEST_CASE("grpo: right ways to compute advantages stay within the bound") {
    double all = 0;
    for (const Spread how : spreads)
        for (const bool backwards : {false, true}) {
            const double own = advantages_share<double>(how, backwards);
            INFO("spread " << static_cast<int>(how) << ", backwards " << backwards);
            CHECK(own < 1);
            all = std::max(all, own);
        }
    fmt::print("grpo advantages: 8 right ways use at most {:.2f} of the bound\n", all);
    CHECK(all > 0.1); // a bound ten times too wide would be no evidence of anything
}

TEST_CASE("grpo: right ways to compute terms, loss and gradient stay within the bound") {
    double all = 0;
    for (const Way& way : ways()) {
        const double own = loss_share<double>(way);
        INFO("power " << static_cast<int>(way.power) << ", estimate " << static_cast<int>(way.estimate) << ", order "
                      << static_cast<int>(way.order));
        CHECK(own < 1);
        all = std::max(all, own);
    }
    fmt::print("grpo loss: {} right ways use at most {:.2f} of the bound\n", ways().size(), all);
    CHECK(all > 0.1);
}

TEST_CASE("grpo: float32 leaves the bounds on every case that rounds at all") {
    int tried = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const Level& level : exercise().levels)
        for (const Case& one : level.cases) {
            Problem problem = one.make(0);
            if (is_advantages(problem)) continue;
            const Truths truths = truths_of(problem);
            const Loss own = loss_by<float>(batch_of(problem), {Power::plain, Estimate::plain, Order::plain});
            const double reached =
                share(truths, {{"terms", own.terms}, {"loss", {own.loss}}, {"lp_new_grad", own.gradient}});
            if (reached == 0) continue; // nothing was rounded
            ++tried;
            INFO(one.id);
            CHECK(reached > 1);
            least = std::min(least, reached);
        }
    fmt::print("grpo loss: float32 reaches at least {:.3g} times the bound on {} cases\n", least, tried);
    CHECK(tried > 15);
    CHECK(advantages_share<float>(Spread::two_passes, false) > 1e3);
}
