// Comparing answers with truths: NaN and infinity, worst elements, places, maps.
#include "catch.hpp"

#include "core/random.hpp"
#include "judge/compare.hpp"
#include "judge/oracle_attempt.hpp"

#include <algorithm>
#include <limits>

using namespace assay;

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

Truth truth_of(const Index& extents, const std::vector<double>& value, double bound = 0.5) {
    return {"out", extents, value, std::vector<double>(value.size(), bound), Dtype::f32};
}

Outputs answer(const Index& extents, const std::vector<double>& values, Dtype dtype = Dtype::f32) {
    return {{{"out", Array::of(dtype, extents, values)}}};
}

/// Zeros, with `mark` wherever `wrong` says so.
template <class Wrong> std::vector<Finding> wrong_where(const Index& extents, Wrong wrong, double mark = 7) {
    const Array got =
        Array::generate(Dtype::f32, extents, [&](const Index& index) { return wrong(index) ? mark : 0.0; });
    return compare({{{"out", got}}}, {truth_of(extents, std::vector<double>(static_cast<std::size_t>(got.size()), 0))});
}

} // namespace

TEST_CASE("an element is right exactly up to its bound", "[judge]") {
    const Truths truth{truth_of({2}, {1, -2}, 0.25)};
    CHECK(compare(answer({2}, {1.25, -2.25}), truth).empty());
    CHECK(agrees(answer({2}, {1.25, -2.25}), truth));
    const std::vector<Finding> findings = compare(answer({2}, {1.25, -2.375}), truth);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::value);
    CHECK(findings[0].tensor == "out");
    CHECK(findings[0].where == Index{1});
    CHECK(findings[0].got == -2.375);
    CHECK(findings[0].expected == -2);
    CHECK(findings[0].error == 0.375);
    CHECK(findings[0].bound == 0.25);
    CHECK(findings[0].wrong == 1);
    CHECK(findings[0].total == 2);
    CHECK(findings[0].plain_error == -1);
    CHECK_FALSE(agrees(answer({2}, {1.25, -2.375}), truth));
    CHECK(worst_ratio(answer({2}, {1.125, -2.375}), truth) == 1.5);
}

TEST_CASE("NaN and infinity are told apart from wrong values", "[judge]") {
    const Truths truth{truth_of({5}, {1, 1, 1, 1, 1}, inf)};
    const std::vector<Finding> findings = compare(answer({5}, {NaN, 1e30, inf, NaN, -inf}), truth);
    REQUIRE(findings.size() == 2); // a bound without limit lets 1e30 pass, and no NaN or infinity
    CHECK(findings[0].kind == FindingKind::nan);
    CHECK(findings[0].where == Index{0});
    CHECK(findings[0].wrong == 2);
    CHECK(findings[0].error == inf);
    CHECK(findings[1].kind == FindingKind::inf);
    CHECK(findings[1].where == Index{2});
    CHECK(findings[1].wrong == 2);
    CHECK(worst_ratio(answer({5}, {NaN, 1, 1, 1, 1}), truth) == inf);
}

TEST_CASE("where the truth is NaN or infinite the answer must be the same", "[judge]") {
    const Truths truth{truth_of({3}, {NaN, inf, -inf}, inf)};
    CHECK(agrees(answer({3}, {NaN, inf, -inf}), truth));
    CHECK(worst_ratio(answer({3}, {NaN, inf, -inf}), truth) == 0);
    for (const std::vector<double>& wrong : {std::vector<double>{0, inf, -inf},
                                             {inf, inf, -inf},
                                             {NaN, NaN, -inf},
                                             {NaN, -inf, -inf},
                                             {NaN, 3e38, -inf}}) {
        CAPTURE(wrong);
        CHECK_FALSE(agrees(answer({3}, wrong), truth));
        CHECK(compare(answer({3}, wrong), truth).size() == 1);
        CHECK(worst_ratio(answer({3}, wrong), truth) == inf);
    }
}

TEST_CASE("a bound that is NaN lets nothing pass", "[judge]") {
    CHECK_FALSE(agrees(answer({1}, {1}), {truth_of({1}, {1}, NaN)}));
    CHECK(compare(answer({1}, {1}), {truth_of({1}, {1}, NaN)}).size() == 1);
}

TEST_CASE("the worst element is the farthest in bounds, not in units", "[judge]") {
    Truth truth = truth_of({3}, {100, 1, 0});
    truth.bound = {10, 0.001, 1};
    const Finding finding = compare(answer({3}, {150, 1.5, 0}), {truth}).at(0);
    CHECK(finding.where == Index{1});
    CHECK(finding.wrong == 2);
    truth.bound = {10, 0, 0};
    const Finding exact = compare(answer({3}, {150, 1.5, 2}), {truth}).at(0);
    CHECK(exact.where == Index{2}); // two bounds of 0: the larger error
}

TEST_CASE("the plain implementation's error stands beside the attempt's", "[judge]") {
    const Outputs plain = answer({2}, {1, 2.125});
    CHECK(compare(answer({2}, {1, 9}), {truth_of({2}, {1, 2})}, &plain).at(0).plain_error == 0.125);
}

TEST_CASE("a missing or misshapen output is one finding", "[judge]") {
    const Truths truth{truth_of({2, 1}, {1, 1}), Truth{"more", {1}, {0}, {1}, Dtype::f32}};
    const std::vector<Finding> findings = compare(answer({1, 2}, {1, 1}), truth);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].kind == FindingKind::shape);
    CHECK(findings[0].note == "out has extents (1, 2), not (2, 1)");
    CHECK(findings[1].kind == FindingKind::shape);
    CHECK(findings[1].note == "more is missing from the answer");
    CHECK_FALSE(agrees(answer({1, 2}, {1, 1}), truth));
}

TEST_CASE("strided outputs of every dtype are read by index", "[judge]") {
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    for (const Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::f16, Dtype::bf16, Dtype::i32, Dtype::i64}) {
        CAPTURE(name_of(dtype));
        const Array plain = Array::of(dtype, {2, 3}, values);
        const Array strided = plain.laid_out(std::vector<int>{1, 0}, std::vector<std::int64_t>{2, 3});
        REQUIRE_FALSE(strided.is_contiguous());
        CHECK(agrees({{{"out", strided}}}, {truth_of({2, 3}, values, 0)}));
        CHECK(compare({{{"out", strided}}}, {truth_of({2, 3}, {1, 2, 3, 4, 5, 7}, 0)}).at(0).where == Index{1, 2});
    }
}

TEST_CASE("an empty output is right", "[judge]") { CHECK(agrees(answer({0, 3}, {}), {truth_of({0, 3}, {})})); }

TEST_CASE("places say which slab is wrong", "[judge]") {
    const Index extents{2, 3, 8, 4};
    using I = const Index&;
    const auto place = [&](auto wrong) { return wrong_where(extents, wrong).at(0).place; };
    CHECK(place([](I) { return true; }) == "everywhere");
    CHECK(place([](I i) { return i == Index{1, 2, 5, 3}; }) == "a single element");
    CHECK(place([](I i) { return i[0] == 0 && i[1] == 2 && i[2] == 5; }) == "every element of out[0, 2, 5, :]");
    CHECK(place([](I i) { return i[3] == 3; }) == "every element of out[:, :, :, 3]");
    CHECK(place([](I i) { return i[2] >= 5; }) == "every element of out[:, :, 5:, :]");
    CHECK(place([](I i) { return i[2] < 3; }) == "every element of out[:, :, :3, :]");
    CHECK(place([](I i) { return i[2] % 2 == 1; }) == "every element of out[:, :, 1::2, :]");
    CHECK(place([](I i) { return i[2] == 1 || i[2] == 2 || i[2] == 6; }) == "every element of out[:, :, {1, 2, 6}, :]");
    CHECK(place([](I i) { return !(i[0] == 1 && i[1] == 2); }) == "everywhere but out[1, 2, :, :]");
    CHECK(place([](I i) { return i[1] == 1 && i != Index{0, 1, 0, 0}; }) == "63 of the 64 elements of out[:, 1, :, :]");
    CHECK(place([](I i) { return (i[0] + i[1] + i[2] + i[3]) % 2 == 0; }).empty());
}

TEST_CASE("the map shows the two axes that tell most", "[judge]") {
    const auto rows = wrong_where({2, 1, 3, 5}, [](const Index& i) { return i[2] == 1; }).at(0);
    CHECK(rows.map == std::vector<std::string>{"axis 2 down, axis 3 across", ".....", "xxxxx", "....."});
    const auto heads = wrong_where({2, 3, 2, 2}, [](const Index& i) { return i[0] == 1 && i[1] == 2; }).at(0);
    CHECK(heads.map == std::vector<std::string>{"axis 0 down, axis 1 across", "...", "..x"});
    const auto line = wrong_where(
                          {6}, [](const Index& i) { return i[0] > 3; }, NaN)
                          .at(0);
    CHECK(line.map == std::vector<std::string>{"axis 0 across", "....NN"});
    CHECK(wrong_where({4, 4}, [](const Index&) { return true; }).at(0).map.empty());
}

TEST_CASE("a large map is drawn smaller, and nothing wrong is lost", "[judge]") {
    const Finding finding = wrong_where({100, 300}, [](const Index& i) { return i == Index{99, 150}; }).at(0);
    REQUIRE(finding.map.size() <= 9);
    CHECK(finding.map[0] == "axis 0 down, axis 1 across, a mark for 13 x 7");
    int marks = 0;
    for (std::size_t row = 1; row < finding.map.size(); ++row) {
        CHECK(finding.map[row].size() <= 48);
        marks += static_cast<int>(std::count(finding.map[row].begin(), finding.map[row].end(), 'x'));
    }
    CHECK(marks == 1);
    CHECK(finding.map.back()[150 / 7] == 'x');
}

TEST_CASE("one picture a tensor shows every kind", "[judge]") {
    const std::vector<Finding> findings = compare(answer({2, 2}, {NaN, 0, 5, inf}), {truth_of({2, 2}, {0, 0, 0, 0})});
    REQUIRE(findings.size() == 3);
    CHECK(findings[0].kind == FindingKind::nan);
    CHECK(findings[0].map == std::vector<std::string>{"axis 0 down, axis 1 across", "N.", "xI"});
    CHECK(findings[1].map.empty());
    CHECK(findings[2].kind == FindingKind::value);
}

TEST_CASE("an oracle's answer agrees when stored just where its outputs would", "[judge]") {
    Random random(23, "stored");
    int agreed = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        Truths truths, answers;
        for (const char* name : {"a", "b"}) {
            Truth truth{name, {2, 3}, {}, {}, static_cast<Dtype>(random.integer(0, dtype_count - 1))};
            for (int i = 0; i < 6; ++i) {
                truth.value.push_back(random.chance(0.05) ? NaN : random.chance(0.05) ? inf : random.uniform(-2, 2));
                truth.bound.push_back(random.uniform(0, 1.2));
            }
            truths.push_back(truth);
            for (double& value : truth.value) value += random.chance(0.9) ? 0 : random.uniform(-1, 1);
            answers.push_back(truth);
        }
        if (random.chance(0.1)) std::swap(answers[0], answers[1]); // found by name
        if (random.chance(0.05)) answers[1].extents = {3, 2};
        if (random.chance(0.05)) answers[0].name = "c";
        const bool right = agrees(rounded(answers), truths);
        agreed += right ? 1 : 0;
        CHECK(agrees_when_stored(answers, truths) == right);
        const std::vector<Finding> all = compare(rounded(answers), truths),
                                   kinds = find_wrong(rounded(answers), truths);
        CHECK(all.empty() == right);
        REQUIRE(all.size() == kinds.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            CHECK((all[i].kind == kinds[i].kind && all[i].where == kinds[i].where && all[i].wrong == kinds[i].wrong));
    }
    CHECK(agreed > 400);
    CHECK(agreed < 3600);
}
