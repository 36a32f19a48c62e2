// The toy exercise itself, and that it is what it says.
#include "toy.hpp"

#include "catch.hpp"
#include "core/random.hpp"
#include "judge/oracle_attempt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace toy {

using namespace assay;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Slip {
    std::string_view id;
    int form;
    bool is(std::string_view name) const { return id == name; }
};

bool allowed(const Problem& problem, std::int64_t row, std::int64_t column, const Slip& slip) {
    if (column < problem.integer("skip") && !slip.is("skip-ignored")) return false;
    if (!problem.has("mask") || slip.is("mask-ignored") || slip.is("mask-unread")) return true;
    const Array& mask = problem.array("mask");
    return mask.at({mask.extents[0] == 1 ? 0 : row, mask.extents[1] == 1 ? 0 : column}) != 0;
}

double float_exp(double x) { return static_cast<double>(std::exp(static_cast<float>(x))); }

Truth softmax(const Problem& problem, const Slip& slip) {
    const Array& x = problem.array("x");
    const std::int64_t rows = x.extents[0], columns = x.extents[1];
    const double scale = slip.is("scale-missing") ? 1 : problem.number_or("scale", 0.5);
    Truth y{"y", x.extents, std::vector<double>(static_cast<std::size_t>(x.size())), {}, Dtype::f32};
    const auto at = [&](std::int64_t row, std::int64_t column) -> double& {
        return y.value[static_cast<std::size_t>(row * columns + column)];
    };
    const bool over_rows = slip.is("over-rows");
    const std::int64_t lines = over_rows ? columns : rows, length = over_rows ? rows : columns;
    for (std::int64_t line = 0; line < lines; ++line) {
        double maximum = -infinity, sum = 0;
        bool any = false;
        std::vector<double> logits;
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t row = over_rows ? i : line, column = over_rows ? line : i;
            const bool may = allowed(problem, row, column, slip);
            const double weak = slip.form == 0 ? -3 : -30;
            logits.push_back(may ? scale * x.at({row, column}) : slip.is("weak-mask") ? weak : -infinity);
            any = any || may;
            maximum = std::max(maximum, logits.back());
        }
        if (slip.is("no-maximum")) maximum = 0;
        for (double& logit : logits) {
            logit = slip.is("no-maximum") ? float_exp(logit) : std::exp(logit - maximum);
            sum += logit;
        }
        for (std::int64_t i = 0; i < length; ++i) {
            double& out = over_rows ? at(i, line) : at(line, i);
            out = any || slip.is("empty-nan") ? logits[static_cast<std::size_t>(i)] / sum : 0;
        }
    }
    for (const double value : y.value) y.bound.push_back(1e-5 * std::fabs(value) + 1e-9);
    return y;
}

std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int form) {
    if ((mistake == "skip-ignored" && problem.integer("skip") == 0) ||
        (mistake.substr(0, 4) == "mask" && !problem.has("mask")))
        return std::nullopt;
    return Truths{softmax(problem, {mistake, form})};
}

Case make_case(const std::string& id, const Shape& shape, const std::function<void(Problem&)>& change = {}) {
    Case one;
    one.id = id;
    one.why = "to try the judge";
    one.make = [=](std::uint64_t seed) {
        Problem made = problem(seed ^ id.size(), shape);
        if (change) change(made);
        return made;
    };
    return one;
}

void forbid_row(Problem& problem, std::int64_t row) {
    Array& mask = std::get<Array>(problem.find("mask")->value);
    for (std::int64_t column = 0; column < mask.extents[1]; ++column) mask.set(Index{row, column}, 0);
}

/// Far below 0, where a mask of -30 is no longer the smallest logit.
void shift_row(Problem& problem) {
    Array& x = std::get<Array>(problem.find("x")->value);
    for (std::int64_t column = 0; column < x.extents[1]; ++column) x.set(Index{0, column}, x.at({0, column}) - 200);
}

} // namespace

Problem problem(std::uint64_t seed, const Shape& shape) {
    Random random(seed, "toy");
    const auto draw = [&](const Index&) { return shape.spread * random.normal(); };
    Value mask;
    if (shape.masked) {
        mask = Array::generate(Dtype::boolean, {shape.rows, shape.columns}, [&](const Index& index) {
            return index[1] == index[0] % shape.columns || random.chance(0.5) ? 1.0 : 0.0; // one a row at least
        });
    }
    Problem made;
    made.route = "softmax";
    made.fields = {{"x", Array::generate(Dtype::f32, {shape.rows, shape.columns}, draw), {"R", "C"}},
                   {"mask", std::move(mask), {"R", "C"}},
                   {"scale", Value(), {}},
                   {"skip", std::int64_t{0}, {}}};
    return made;
}

Exercise exercise() {
    Exercise toy;
    toy.id = "toy";
    toy.signatures = {
        {"softmax",
         "toy",
         "",
         {{"x"}, {"mask"}, {"scale"}, {"skip"}, {"y", Parameter::Kind::tensor, Dtype::f32, 2, false, true}}}};
    const auto level = [&](const std::string& id, int points, std::vector<Case> cases) {
        Level made;
        made.id = id;
        made.title = id;
        made.points = points;
        made.functions = {id == "skipping" ? "skipping" : "softmax"};
        made.cases = std::move(cases);
        toy.levels.push_back(std::move(made));
    };
    level("formula", 10, {make_case("small", {3, 4, false, 1}), make_case("wide", {2, 33, false, 1})});
    toy.levels.back().cases.back().stays = "a long row";
    level("stability", 20, {make_case("large", {3, 4, false, 300})});
    level("masks", 30, {make_case("masked", {3, 5, true, 1}), make_case("masked-far", {4, 6, true, 1}, shift_row)});
    level("empty", 40, {make_case("empty-row", {3, 4, true, 1}, [](Problem& p) { forbid_row(p, 1); })});
    toy.levels.back().requires_level = "masks";
    level("skipping", 5,
          {make_case("skip-two", {3, 5, false, 1}, [](Problem& p) { p.find("skip")->value = std::int64_t{2}; })});
    toy.levels.back().must = false;

    toy.mistakes = {{"scale-missing", "softmax without the scale", {"formula"}, {}},
                    {"over-rows", "softmax over rows", {"formula"}, {}},
                    {"no-maximum", "softmax without subtracting the maximum", {"stability"}, {}},
                    {"mask-ignored", "softmax without the mask", {"masks"}, {"mask-unread"}},
                    {"mask-unread", "softmax that never reads the mask", {"masks"}, {}},
                    {"weak-mask", "a finite number for minus infinity", {"masks", "masks"}, {}},
                    {"empty-nan", "0 / 0 in a row with nothing to attend", {"empty"}, {}},
                    {"skip-ignored", "softmax over the skipped columns too", {"skipping"}, {}}};
    toy.oracle = oracle;
    toy.plain = [](const Problem& problem) { return rounded(*oracle(problem, "", 0)); };
    toy.valid = [](const Problem& problem) {
        const Array& x = problem.array("x");
        if (x.extents[0] < 1 || x.extents[1] < 1 || problem.integer("skip") < 0) return false;
        if (!problem.has("mask")) return true;
        const Array& mask = problem.array("mask");
        return (mask.extents[0] == 1 || mask.extents[0] == x.extents[0]) &&
               (mask.extents[1] == 1 || mask.extents[1] == x.extents[1]);
    };
    toy.random = [](std::uint64_t seed) {
        Random random(seed, "shape");
        return problem(seed, {random.integer(1, 5), random.integer(1, 9), random.chance(0.5), 2});
    };
    toy.level_of = [](const Problem& problem) { return problem.has("mask") ? "masks" : "formula"; };
    return toy;
}

Scripted::Scripted(const Exercise& exercise, Behaviour behaviour)
    : exercise_(exercise), behaviour_(std::move(behaviour)) {}

Outcome<Answer> Scripted::answer(const Level&, const Problem& problem) {
    ++asked;
    Answer right{rounded(*exercise_.oracle(problem, "", 0)), {}};
    return behaviour_ ? behaviour_(problem, std::move(right)) : right;
}

} // namespace toy

TEST_CASE("the toy exercise is a softmax over rows", "[judge]") {
    const assay::Exercise toy = toy::exercise();
    for (const assay::Level& level : toy.levels)
        for (const assay::Case& one : level.cases) {
            const assay::Problem problem = one.make(0);
            CAPTURE(one.id);
            REQUIRE(toy.valid(problem));
            const assay::Truth y = toy.oracle(problem, "", 0)->front();
            const auto columns = static_cast<std::size_t>(y.extents[1]);
            for (std::size_t row = 0; row < static_cast<std::size_t>(y.extents[0]); ++row) {
                double sum = 0;
                for (std::size_t column = 0; column < columns; ++column) sum += y.value[row * columns + column];
                CHECK(sum == Approx(one.id == "empty-row" && row == 1 ? 0 : 1).margin(1e-12));
            }
        }
}
