// The trials behind the error bounds: right float32 variants stay within them on every kind of data, and variants of a
// coarser precision leave them. Prints what share of the bound each function uses. ASSAY_LONG=1 runs more seeds.
#include "core/random.hpp"
#include "exercises/softmax_layernorm/softmax_layernorm.hpp"
#include "exercises/softmax_layernorm/variants_right.hpp"
#include "exercises/softmax_layernorm/variants_wrong.hpp"
#include "judge/compare.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace {

using namespace assay;
using namespace assay::softmax_layernorm_test;

struct Kind {
    const char* name;
    std::function<double(double normal, std::size_t j, std::size_t n)> x;
};

const std::vector<Kind>& kinds() {
    const auto part = [](std::size_t j, std::size_t n) { return static_cast<double>(j) / static_cast<double>(n); };
    static const std::vector<Kind> all{
        {"normal", [](double x, auto, auto) { return x; }},
        {"at 10", [](double x, auto, auto) { return 10 + x; }},
        {"at 1e4", [](double x, auto, auto) { return 1e4 + x; }},
        {"at -1e6", [](double x, auto, auto) { return -1e6 + 10 * x; }},
        {"small", [](double x, auto, auto) { return 1e-4 * x; }},
        {"wide", [](double x, auto, auto) { return 40 * x; }},
        {"heavy tails", [](double x, auto, auto) { return x * x * x; }},
        {"ascending", [part](double x, std::size_t j, std::size_t n) { return 30 * part(j, n) + 0.1 * x; }},
        {"descending", [part](double x, std::size_t j, std::size_t n) { return -30 * part(j, n) + 0.1 * x; }},
        {"all but equal", [](double x, auto, auto) { return 0.7 + 1e-6 * x; }},
        {"equal", [](double, auto, auto) { return 0.1; }},
        {"alternating", [](double x, std::size_t j, auto) { return (j % 2 == 0 ? 100.0 : -100.0) + x; }},
        {"one above", [](double x, std::size_t j, auto) { return j == 0 ? 50 + x : x; }},
    };
    return all;
}

struct Data {
    Problem problem;
    Truth truth;
    std::vector<Slot> slices;
};

constexpr std::int64_t rows = 32;

/// 32 slices of n elements along axis 2.
Data made(const std::string& route, const Kind& kind, std::size_t n, std::uint64_t seed) {
    Random random(seed, route + kind.name + std::to_string(n));
    const auto width = static_cast<std::int64_t>(n);
    const Index extents{rows, 1, width};
    const auto normal = [&](const Index& shape, double centre) {
        return Array::generate(Dtype::f32, shape, [&](const Index&) { return centre + random.normal(); });
    };
    const float eps = seed % 2 == 0 ? 1e-5f : 1e-12f;
    Data data;
    const Array x = Array::generate(Dtype::f32, extents, [&](const Index& at) {
        return kind.x(random.normal(), static_cast<std::size_t>(at[2]), n);
    });
    const Array dy = normal(extents, 0), gamma = normal({width}, 1), beta = normal({width}, 0);
    data.problem.route = route;
    data.problem.fields = {{"x", x, {}},
                           {"dy", dy, {}},
                           {"gamma", gamma, {}},
                           {"beta", beta, {}},
                           {"axis", std::int64_t{2}, {}},
                           {"eps", static_cast<double>(eps), {}},
                           {"y", x, {}},
                           {"dx", x, {}},
                           {"dgamma", gamma, {}},
                           {"dbeta", gamma, {}}};
    data.truth = truths_of(data.problem)[0];
    const auto floats = [](const Array& from, std::int64_t row) {
        Floats result;
        for (std::int64_t j = 0; j < from.extents.back(); ++j)
            result.push_back(static_cast<float>(from.rank() == 1 ? from.at({j}) : from.at({row, 0, j})));
        return result;
    };
    for (std::int64_t row = 0; row < rows; ++row)
        data.slices.push_back({floats(x, row), floats(dy, row), floats(gamma, row), floats(beta, row), eps, {}});
    return data;
}

double share_of_bound(const Variant& variant, const Data& data) {
    std::vector<double> values;
    for (Slot slot : data.slices) {
        variant.run(slot);
        values.insert(values.end(), slot.out.begin(), slot.out.end());
    }
    Outputs outputs;
    outputs.arrays.emplace_back(data.truth.name, Array::of(Dtype::f32, data.truth.extents, values));
    return worst_ratio(outputs, {data.truth});
}

bool long_mode() { return std::getenv("ASSAY_LONG") != nullptr; }

void try_right(const std::string& route, const std::vector<Variant>& variants) {
    double all = 0;
    std::string where;
    for (const Kind& kind : kinds())
        for (const std::size_t n : {1u, 2u, 3u, 16u, 31u, 127u, 1000u})
            for (std::uint64_t seed = 0; seed < (long_mode() ? 20u : 2u); ++seed) {
                const Data data = made(route, kind, n, seed);
                for (const Variant& variant : variants) {
                    const double share = share_of_bound(variant, data);
                    if (!(share < 1))
                        FAIL_CHECK(route << ", " << variant.name << ", " << kind.name << ", n = " << n << ": "
                                         << share);
                    if (share > all) where = fmt::format("{}, {}, n = {}", variant.name, kind.name, n);
                    all = std::max(all, share);
                }
            }
    fmt::print("{:<20} {:>3} right variants use at most {:.2f} of the bound ({})\n", route, variants.size(), all,
               where);
    CHECK(all > 0.1); // a bound ten times too wide would be no evidence of anything
}

void try_wrong(const std::string& route, const std::vector<Variant>& variants) {
    for (const Variant& variant : variants) {
        double least = INFINITY; // over trials, of a trial's largest
        for (const std::size_t n : {3u, 16u, 31u, 127u})
            for (std::uint64_t seed = 0; seed < (long_mode() ? 40u : 5u); ++seed)
                least = std::min(least, share_of_bound(variant, made(route, kinds().front(), n, seed)));
        fmt::print("{:<20} {:<20} reaches at least {:.3g} times the bound\n", route, variant.name, least);
        INFO(route << ", " << variant.name);
        CHECK(least > 1); // every trial on plain normal data shows it
    }
}

} // namespace

TEST_CASE("right float32 variants stay within the bounds of softmax_layernorm") {
    try_right("softmax", right_softmax());
    try_right("log_softmax", right_log_softmax());
    try_right("softmax_backward", right_softmax_backward());
    try_right("layernorm", right_layernorm());
    try_right("layernorm_backward", right_layernorm_backward());
}

TEST_CASE("a coarser precision leaves the bounds of softmax_layernorm") {
    try_wrong("softmax", wrong_softmax());
    try_wrong("log_softmax", wrong_log_softmax());
    try_wrong("softmax_backward", wrong_softmax_backward());
    try_wrong("layernorm", wrong_layernorm());
    try_wrong("layernorm_backward", wrong_layernorm_backward());
}
