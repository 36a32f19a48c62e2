// The trials behind the error bounds: right float32 variants stay within them on every kind of data, and variants of a
// coarser precision leave them. Prints what share of the bound each function uses. ASSAY_LONG=1 runs more seeds.
#include "exercises/long_attention/long_attention.hpp"
#include "exercises/long_attention/variants.hpp"
#include "judge/compare.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace {

using namespace assay;
using namespace assay::long_attention_test;

struct Kind {
    const char* name;
    std::function<double(double normal, std::size_t token, std::size_t length)> key, value;
};

double same(double x, std::size_t, std::size_t) { return x; }

/// Queries are standard normal.
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"normal", same, same},
        {"small", [](double x, auto, auto) { return 0.01 * x; }, same},
        {"wide", [](double x, auto, auto) { return 2 * x; }, same},
        {"shifted", [](double x, auto, auto) { return 2 + 0.3 * x; }, same},
        {"negative", [](double x, auto, auto) { return -3 + 0.5 * x; }, same},
        {"ascending",
         [](double x, auto i, auto n) { return 3 * static_cast<double>(i) / static_cast<double>(n) + 0.1 * x; }, same},
        {"constant values", same, [](double, auto, auto) { return 0.7; }},
        {"values at 100", same, [](double x, auto, auto) { return 100 + x; }},
        {"alternating values", same, [](double x, std::size_t i, auto) { return (i % 2 == 0 ? 50 : -50) + x; }},
        {"one key above", [](double x, std::size_t i, auto) { return i == 1 ? 3 + x : x; }, same},
    };
    return all;
}

Problem made(const std::string& route, const Kind& kind, std::int64_t length, std::uint64_t seed) {
    Random random(seed, route + kind.name + std::to_string(length));
    const std::int64_t H = 2, D = 6, Dv = 4, rows = 9;
    const auto drawn = [&](Index extents, const auto& rule, double size) {
        return Array::generate(Dtype::f32, extents, [&](const Index& at) {
            return size * rule(random.normal(), static_cast<std::size_t>(at[1]), static_cast<std::size_t>(extents[1]));
        });
    };
    Problem problem{route,
                    {{"q", drawn({H, length, D}, same, 1), {}},
                     {"k", drawn({H, length, D}, kind.key, 1), {}},
                     {"v", drawn({H, length, Dv}, kind.value, 1), {}}}};
    if (route == "sliding_window") problem.fields.push_back({"window", std::min<std::int64_t>(length, 127), {}});
    if (route == "linear_attention") problem.fields.push_back({"eps", seed % 2 == 0 ? 1e-6 : 0.5, {}});
    if (route == "random_features") problem.fields.push_back({"omega", drawn({rows, D}, same, 0.7), {}});
    if (route == "low_rank")
        for (const char* name : {"e", "f"})
            problem.fields.push_back(
                {name, drawn({rows, length}, same, 1 / std::sqrt(static_cast<double>(length))), {}});
    problem.fields.push_back({"out", Array::zeros(Dtype::f32, {H, length, Dv}), {}});
    return problem;
}

double share_of_bound(const Problem& problem, const Truths& truths, const Way& way) {
    const Floats out = run(problem, way);
    Outputs outputs;
    outputs.arrays.emplace_back("out", Array::of(Dtype::f32, truths[0].extents, Numbers(out.begin(), out.end())));
    return worst_ratio(outputs, truths);
}

std::vector<Way> right_ways(const std::string& route) {
    std::vector<Way> ways;
    for (const auto& [order, name] : {std::pair{Order::forward, "forward"}, std::pair{Order::backward, "backward"},
                                      std::pair{Order::pairwise, "pairwise"}, std::pair{Order::lanes, "eight lanes"}}) {
        Way way;
        way.order = order;
        const auto add = [&](const std::string& what) {
            way.name = std::string(name) + ", " + what;
            ways.push_back(way);
        };
        if (route == "sliding_window" || route == "low_rank")
            for (const auto& [softmax, what] :
                 {std::pair{Softmax::quotient, "quotient"}, std::pair{Softmax::reciprocal, "reciprocal"},
                  std::pair{Softmax::less_log, "less log"}, std::pair{Softmax::base_two, "base 2"},
                  std::pair{Softmax::online, "online"}})
                way.softmax = softmax, add(what);
        else
            for (const auto& [causal, what] : {std::pair{Causal::state, "state"}, std::pair{Causal::scores, "scores"},
                                               std::pair{Causal::chunks, "chunks"}}) {
                way.causal = causal;
                if (route == "random_features")
                    for (const Shift shift : {Shift::running, Shift::global})
                        way.shift = shift, add(std::string(what) + (shift == Shift::global ? ", global" : ""));
                else
                    for (const Elu elu : {Elu::exp, Elu::expm1, Elu::literal})
                        way.elu = elu, add(std::string(what) + (elu == Elu::exp ? "" : ", elu + 1"));
            }
    }
    return ways;
}

const char* const routes[] = {"sliding_window", "low_rank", "linear_attention", "random_features"};
bool long_mode() { return std::getenv("ASSAY_LONG") != nullptr; }

} // namespace

TEST_CASE("right float32 variants stay within the bounds of long_attention") {
    for (const std::string route : routes) {
        double all = 0;
        std::string where;
        for (const Kind& kind : kinds())
            for (const std::int64_t length : {1, 2, 3, 16, 31, 127})
                for (std::uint64_t seed = 0; seed < (long_mode() ? 20u : 2u); ++seed) {
                    const Problem problem = made(route, kind, length, seed);
                    if (!exercise().valid(problem)) continue; // "negative" and "wide" may spread exponents too far
                    const Truths truths = truths_of(problem);
                    for (const Way& way : right_ways(route)) {
                        const double share = share_of_bound(problem, truths, way);
                        if (!(share < 1))
                            FAIL_CHECK(route << ", " << way.name << ", " << kind.name << ", L = " << length << ": "
                                             << share);
                        if (share > all) where = fmt::format("{}, {}, L = {}", way.name, kind.name, length);
                        all = std::max(all, share);
                    }
                }
        fmt::print("{:<18} {:>3} right variants use at most {:.2f} of the bound ({})\n", route,
                   right_ways(route).size(), all, where);
        CHECK(all > 0.03); // random features use the least: two exponents of M sums, all at their worst
    }
}

TEST_CASE("a coarser precision leaves the bounds of long_attention") {
    for (const std::string route : routes)
        for (const auto& [keep, name] :
             {std::pair<Keep, const char*>{in_half, "half"}, std::pair<Keep, const char*>{in_bfloat16, "bfloat16"}}) {
            double least = INFINITY; // over trials, of a trial's largest
            for (const Softmax softmax : {Softmax::quotient, Softmax::online})
                for (const std::int64_t length : {3, 16, 31, 127})
                    for (std::uint64_t seed = 0; seed < (long_mode() ? 40u : 5u); ++seed) {
                        const Problem problem = made(route, kinds().front(), length, seed);
                        if (!exercise().valid(problem)) continue;
                        Way way;
                        way.keep = keep;
                        way.softmax = softmax;
                        least = std::min(least, share_of_bound(problem, truths_of(problem), way));
                    }
            fmt::print("{:<18} sums in {:<9} reach at least {:.3g} times the bound\n", route, name, least);
            INFO(route << ", " << name);
            CHECK(least > 1); // every trial on plain normal data shows it
        }
}
