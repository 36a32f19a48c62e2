// How the tests ask the exercise's oracle.
#ifndef ASSAY_TESTS_P_YES_HPP
#define ASSAY_TESTS_P_YES_HPP

#include "catch.hpp"
#include "core/registry.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace assay::p_yes_test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;

inline const Exercise& exercise() {
    const Exercise* found = find_exercise("p_yes");
    REQUIRE(found != nullptr);
    return *found;
}

inline Truths truths_of(const Problem& problem, std::string_view mistake = "", int form = 0) {
    const auto truths = exercise().oracle(problem, mistake, form);
    REQUIRE(truths);
    return *truths;
}

inline const Truth& item(const Truths& truths, std::string_view name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return truth;
    FAIL("no item " << name);
    return truths.front();
}

inline double number(const Truths& truths, std::string_view name) { return item(truths, name).value.front(); }

inline Array array(Dtype dtype, const Numbers& values) {
    return Array::of(dtype, {static_cast<std::int64_t>(values.size())}, values);
}

inline Problem score(const Array& logits, const Numbers& yes, const Numbers& no) {
    Problem problem{logits.dtype == Dtype::f16 ? "score_f16" : "score",
                    {{"logits", logits, {"B", "V"}},
                     {"yes", array(Dtype::i32, yes), {"Ny"}},
                     {"no", array(Dtype::i32, no), {"Nn"}}}};
    for (const char* name : {"log_yes", "log_no", "p", "mass"})
        problem.fields.push_back({name, Array::zeros(Dtype::f32, {logits.extents[0]}), {"B"}});
    return problem;
}

inline Problem score(const Numbers& row, const Numbers& yes, const Numbers& no) {
    return score(Array::of(Dtype::f32, {1, static_cast<std::int64_t>(row.size())}, row), yes, no);
}

inline Problem checked(const Numbers& row, const Numbers& yes, const Numbers& no) {
    return {"checked",
            {{"logits", array(Dtype::f64, row), {"V"}},
             {"yes", array(Dtype::i32, yes), {"Ny"}},
             {"no", array(Dtype::i32, no), {"Nn"}}}};
}

struct Example {
    double x;
    bool yes;
    double weight = 1;
};
using Examples = std::vector<Example>;

inline std::vector<Field> fields_of(const char* name, const Examples& examples) {
    Numbers x, y, w;
    for (const Example& one : examples) {
        x.push_back(one.x);
        y.push_back(one.yes ? 1 : 0);
        w.push_back(one.weight);
    }
    return {{name, array(Dtype::f64, x), {"n"}},
            {"labels", array(Dtype::boolean, y), {"n"}},
            {"weights", array(Dtype::f64, w), {"n"}}};
}

inline Problem calibrate(const Examples& examples) { return {"calibrate", fields_of("scores", examples)}; }

inline Problem assess(const Examples& examples, std::int64_t bins, double false_yes, double false_no) {
    Problem problem{"assess", fields_of("p", examples)};
    problem.fields.push_back({"bins", bins, {}});
    problem.fields.push_back({"cost_false_yes", false_yes, {}});
    problem.fields.push_back({"cost_false_no", false_no, {}});
    for (const char* name : {"bin_weight", "bin_p", "bin_yes"})
        problem.fields.push_back({name, Array::zeros(Dtype::f64, {bins > 0 ? bins : 0}), {""}});
    return problem;
}

/// Pieces and labels as code points.
inline Problem tokens(std::int64_t marks, const std::vector<std::u32string>& pieces, const std::u32string& yes,
                      const std::u32string& no) {
    const auto V = static_cast<std::int64_t>(pieces.size());
    std::size_t width = 1;
    for (const auto& piece : pieces) width = std::max(width, piece.size());
    const auto points = [](const std::u32string& text) { return Numbers(text.begin(), text.end()); };
    Numbers all;
    for (const auto& piece : pieces) {
        Numbers row = points(piece);
        row.resize(width, 0);
        all.insert(all.end(), row.begin(), row.end());
    }
    return {"label_tokens",
            {{"marks", marks, {}},
             {"pieces", Array::of(Dtype::i32, {V, static_cast<std::int64_t>(width)}, all), {"V", "W"}},
             {"yes", array(Dtype::i32, points(yes)), {"Wy"}},
             {"no", array(Dtype::i32, points(no)), {"Wn"}},
             {"yes_ids", Array::zeros(Dtype::boolean, {V}), {"V"}},
             {"no_ids", Array::zeros(Dtype::boolean, {V}), {"V"}}}};
}

} // namespace assay::p_yes_test

#endif
