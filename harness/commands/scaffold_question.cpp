// What `exercise new` writes to exercises/<id>.
#include "commands/scaffold.hpp"

namespace assay::detail {

namespace {

constexpr std::string_view readme = R"(# Affine map

Write `y = a x + b`, element by element.

| | |
|---|---|
| `x` | (N), float32, any stride >= 0 |
| `a`, `b` | numbers, float32 |
| `y` | (N), float32, any stride >= 1 |

`N` may be 0. Inputs must not be changed; every element of `y` is written.

## Levels

1. **The formula**: right values on contiguous and on strided tensors, within the rounding of float32.

## Worked example

`x = (1, 2, 3)`, `a = 2`, `b = 0.5` gives `y = (2.5, 4.5, 6.5)`.
)";

constexpr std::string_view contract =
    R"(// What an attempt at `@ID@` defines. README.md beside this file is the statement.
#ifndef ASSAY_@GUARD@_CONTRACT_HPP
#define ASSAY_@GUARD@_CONTRACT_HPP

#include <assay/tensor.hpp>

namespace @ID@ {

using assay::tensor;

/// y[i] = a * x[i] + b.
///   x (N), any stride >= 0 · y (N), written whole. N may be 0.
void affine(tensor<const float, 1> x, float a, float b, tensor<float, 1> y);

} // namespace @ID@

// The list that judge and worker build their calls from: (namespace, function, parameter names).
#define ASSAY_CONTRACT(FUNCTION) FUNCTION(@ID@, affine, "x a b y")

#endif
)";

constexpr std::string_view starter = R"(// Your attempt at `@ID@`. README.md beside this file says what is asked.
#include "contract.hpp"

namespace @ID@ {

void affine(tensor<const float, 1> x, float a, float b, tensor<float, 1> y) {
    (void)a;
    (void)b;
    for (int i = 0; i < x.extent(0); ++i) y(i) = 0.0f; // yours to write
}

} // namespace @ID@
)";

constexpr std::string_view hints = R"(# Hints

## formula

1. Which of the two, the product or the sum, comes first?
2. `x(i)` reads an element whatever the stride; `x.data()[i]` does not.
)";

constexpr std::string_view settings = R"(title = "Affine map"
topic = "new"
order = 1
summary = "y = a x + b over a strided view"
version = 1
languages = ["cpp"]

[build]
flags = ["-std=c++20", "-O2"]

[limits]
cpu_seconds = 1 # a call
memory_mib = 256
output_kib = 64
threads = 1

[points]
formula = 10
)";

constexpr std::string_view levels =
    R"(// The judge's side of `@ID@`: its level, its cases, and what each is there to catch.
#include "contract.hpp"
#include "core/random.hpp"
#include "core/registry.hpp"
#include "oracle.hpp"
#include "wire/signature.hpp"

namespace {

using namespace assay;

/// x (n) laid out with `step` slots an element, and room for y (n).
Problem problem_of(std::int64_t n, std::int64_t step, double a, double b, Random random) {
    const Array x = Array::generate(Dtype::f32, {n}, [&](const Index&) { return random.uniform(-2, 2); });
    const int order[] = {0};
    const std::int64_t steps[] = {step};
    return {"affine",
            {{"x", x.laid_out(order, steps), {"N"}},
             {"a", a, {}},
             {"b", b, {}},
             {"y", Array::zeros(Dtype::f32, {n}), {"N"}}}};
}

bool valid(const Problem& problem) {
    return problem.has("x") && problem.has("a") && problem.has("b") && problem.has("y") &&
           problem.array("x").extents == problem.array("y").extents;
}

} // namespace

ASSAY_EXERCISE(@ID@) {
    Exercise exercise;
    exercise.signatures = ASSAY_SIGNATURES();

    Level formula;
    formula.id = "formula";
    formula.title = "The formula";
    formula.functions = {"affine"};
    formula.cases = {
        {"plain", "a is not 1 and b is not 0, so that each mistake shows",
         [](std::uint64_t seed) { return problem_of(5, 1, 1.5, -0.75, Random(seed, "plain")); }, ""},
        {"strided", "every other element of x belongs to somebody else",
         [](std::uint64_t seed) { return problem_of(7, 2, -0.5, 2.25, Random(seed, "strided")); }, ""},
        {"empty", "nothing to read and nothing to write",
         [](std::uint64_t seed) { return problem_of(0, 1, 2, 1, Random(seed, "empty")); },
         "a loop that runs at least once reads out of bounds here, which the oracle cannot play"},
    };
    exercise.levels = {formula};

    exercise.mistakes = @ID@::mistakes();
    exercise.oracle = @ID@::oracle;
    exercise.plain = @ID@::plain;
    exercise.valid = valid;
    exercise.random = [](std::uint64_t seed) {
        Random random(seed, "random");
        const std::int64_t n = random.integer(0, 40), step = random.integer(1, 3);
        const double a = random.uniform(-3, 3), b = random.uniform(-3, 3);
        return problem_of(n, step, static_cast<float>(a), static_cast<float>(b), random);
    };
    exercise.level_of = [](const Problem&) { return std::string("formula"); };
    return exercise;
}
)";

} // namespace

std::vector<ScaffoldTemplate> question_templates() {
    return {{"README.md", readme}, {"contract.hpp", contract},  {"starter.cpp", starter},
            {"hints.md", hints},   {"exercise.toml", settings}, {"levels.cpp", levels}};
}

} // namespace assay::detail
