// From plain numbers and words to the problems of each route.
#include "cases.hpp"

#include "catalogue/embedded.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::p_yes_judge {

namespace {

Array numbers(Dtype dtype, const Numbers& values) {
    return Array::of(dtype, {static_cast<std::int64_t>(values.size())}, values);
}

Array ids(const Ids& values) { return numbers(Dtype::i32, {values.begin(), values.end()}); }

Field output(const char* name, Dtype dtype, std::int64_t extent, const char* axis) {
    return {name, Array::zeros(dtype, {extent}), {axis}};
}

/// Code points of well-formed UTF-8, which is what this program's own texts are.
Numbers code_points(std::string_view text) {
    Numbers points;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        unsigned point = length == 1 ? lead : lead & (0x7fu >> length);
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
            point = point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fu);
        points.push_back(static_cast<double>(point));
        i += length;
    }
    return points;
}

/// Scores (or p), labels and weights.
std::vector<Field> fields_of(const char* first, const Examples& examples) {
    Numbers x, y, w;
    for (const Example& one : examples) {
        x.push_back(one.score);
        y.push_back(one.label ? 1 : 0);
        w.push_back(one.weight);
    }
    return {{first, numbers(Dtype::f64, x), {"n"}},
            {"labels", numbers(Dtype::boolean, y), {"n"}},
            {"weights", numbers(Dtype::f64, w), {"n"}}};
}

} // namespace

Problem score_problem(Array logits, const Ids& yes, const Ids& no) {
    const std::int64_t B = logits.extents[0];
    Problem problem{logits.dtype == Dtype::f16 ? "score_f16" : "score",
                    {{"logits", std::move(logits), {"B", "V"}}, {"yes", ids(yes), {"Ny"}}, {"no", ids(no), {"Nn"}}}};
    for (const char* name : {"log_yes", "log_no", "p", "mass"})
        problem.fields.push_back(output(name, Dtype::f32, B, "B"));
    return problem;
}

Problem checked_problem(const Numbers& logits, const Ids& yes, const Ids& no) {
    return {"checked",
            {{"logits", numbers(Dtype::f64, logits), {"V"}}, {"yes", ids(yes), {"Ny"}}, {"no", ids(no), {"Nn"}}}};
}

Problem tokens_problem(Marks marks, const Words& pieces, const std::string& yes, const std::string& no) {
    const auto V = static_cast<std::int64_t>(pieces.size());
    std::vector<Numbers> rows;
    std::size_t width = 1;
    for (const std::string& piece : pieces) {
        rows.push_back(code_points(piece));
        width = std::max(width, rows.back().size());
    }
    Numbers all;
    for (Numbers& row : rows) {
        row.resize(width, 0);
        all.insert(all.end(), row.begin(), row.end());
    }
    Problem problem{"label_tokens",
                    {{"marks", static_cast<std::int64_t>(marks), {}},
                     {"pieces", Array::of(Dtype::i32, {V, static_cast<std::int64_t>(width)}, all), {"V", "W"}},
                     {"yes", numbers(Dtype::i32, code_points(yes)), {"Wy"}},
                     {"no", numbers(Dtype::i32, code_points(no)), {"Wn"}}}};
    problem.fields.push_back(output("yes_ids", Dtype::boolean, V, "V"));
    problem.fields.push_back(output("no_ids", Dtype::boolean, V, "V"));
    return problem;
}

Problem calibrate_problem(const Examples& examples) { return {"calibrate", fields_of("scores", examples)}; }

Problem assess_problem(const Examples& examples, std::int64_t bins, double cost_false_yes, double cost_false_no) {
    Problem problem{"assess", fields_of("p", examples)};
    problem.fields.push_back({"bins", bins, {}});
    problem.fields.push_back({"cost_false_yes", cost_false_yes, {}});
    problem.fields.push_back({"cost_false_no", cost_false_no, {}});
    for (const char* name : {"bin_weight", "bin_p", "bin_yes"})
        problem.fields.push_back(output(name, Dtype::f64, std::max<std::int64_t>(bins, 0), ""));
    return problem;
}

Words vocabulary(std::string_view name) {
    const auto text = embedded("data/vocabulary/" + std::string(name) + ".txt");
    if (!text)
        throw std::logic_error("data/vocabulary/" + std::string(name) +
                               ".txt is missing from this build: build Assay again");
    Words words;
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        words.emplace_back(text->substr(at, end - at));
        at = end + 1;
    }
    return words;
}

} // namespace assay::p_yes_judge
