// What may be asked. Invalid input is a valid question where the contract says what it gets.
#include "oracle.hpp"

#include <algorithm>

namespace assay::p_yes_judge {

namespace {

bool has(const Problem& problem, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return problem.has(name); });
}

bool have_extent(const Problem& problem, std::int64_t n, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const char* name) { return problem.array(name).extents == Index{n}; });
}

/// Levels 1 and 2 promise good ids and good logits.
bool is_answerable(const Problem& problem) {
    const Array& logits = problem.array("logits");
    const std::int64_t B = logits.extents[0], V = logits.extents[1];
    std::vector<double> ids = problem.array("yes").values();
    const std::vector<double> no = problem.array("no").values();
    if (ids.empty() || no.empty()) return false;
    ids.insert(ids.end(), no.begin(), no.end());
    for (const double id : ids)
        if (id < 0 || id >= static_cast<double>(V) || std::count(ids.begin(), ids.end(), id) != 1) return false;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t v = 0; v < V; ++v)
            if (!(logits.at({b, v}) < infinity)) return false;
        const bool some = std::any_of(ids.begin(), ids.end(), [&](double id) {
            return logits.at({b, static_cast<std::int64_t>(id)}) > -infinity;
        });
        if (!some) return false;
    }
    return true;
}

/// p lies on an edge (of a bin, or the threshold) exactly, or so far from it that rounding does not decide. On it only
/// where every way to compute the edge is exact: at 0 and 1, and at a few binary digits where the denominator is a
/// power of 2.
bool is_clear(double p, double edge, double denominator) {
    if (!(p == edge)) return !(std::fabs(p - edge) <= 1e-9); // NaN is on no edge
    return p == 0 || p == 1 ||
           (std::round(1024 * p) == 1024 * p && std::exp2(std::round(std::log2(denominator))) == denominator);
}

/// Whether a fit ends as it does is decided by comparisons, or by a sum that is clear of 0 or exactly 0; and parameters
/// lie in the range that the statement promises.
bool is_fittable(const Problem& problem) {
    const std::vector<double> z = problem.array("scores").values(), y = problem.array("labels").values();
    const std::vector<double> w = problem.array("weights").values();
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        sum += w[i] * z[i] * (y[i] != 0 ? 1 : -1);
        size += std::fabs(w[i] * z[i]);
    }
    if (sum != 0 && std::fabs(sum) < 1e-6 * size) return false;
    const Truths fitted = calibrate_level(problem, {});
    const auto within = [&](std::size_t item, double least, double most) {
        const double size_of = std::fabs(fitted[item].value.front());
        return std::isnan(size_of) || (size_of >= least && size_of <= most);
    };
    return (fitted[1].value.front() != 0 || within(2, 0.05, 20)) && within(5, 0, 20) && within(6, 0, 50);
}

bool is_assessable(const Problem& problem) {
    if (!has(problem,
             {"p", "labels", "weights", "bins", "cost_false_yes", "cost_false_no", "bin_weight", "bin_p", "bin_yes"}))
        return false;
    const Array& p = problem.array("p");
    const std::int64_t bins = problem.integer("bins"), n = p.size();
    if (!have_extent(problem, n, {"labels", "weights"}) || bins > 1000) return false;
    if (!have_extent(problem, std::max<std::int64_t>(bins, 0), {"bin_weight", "bin_p", "bin_yes"})) return false;
    const double cost = problem.number_or("cost_false_yes", nan);
    const double threshold = cost / (cost + problem.number_or("cost_false_no", nan));
    for (const double one : p.values()) {
        if (std::isfinite(threshold) && !is_clear(one, threshold, cost + problem.number_or("cost_false_no", nan)))
            return false;
        const auto M = static_cast<double>(bins);
        if (bins >= 1 && !is_clear(one, std::round(one * M) / M, M)) return false;
    }
    return true;
}

} // namespace

bool valid(const Problem& problem) {
    if (problem.route == "score" || problem.route == "score_f16") {
        if (!has(problem, {"logits", "yes", "no", "log_yes", "log_no", "p", "mass"})) return false;
        const Array& logits = problem.array("logits");
        return logits.rank() == 2 && logits.extents[1] >= 1 &&
               have_extent(problem, logits.extents[0], {"log_yes", "log_no", "p", "mass"}) && is_answerable(problem);
    }
    if (problem.route == "checked") return has(problem, {"logits", "yes", "no"});
    if (problem.route == "label_tokens") {
        if (!has(problem, {"marks", "pieces", "yes", "no", "yes_ids", "no_ids"})) return false;
        const std::int64_t marks = problem.integer("marks");
        const Array& pieces = problem.array("pieces");
        if ((marks != 0 && marks != 1) || !have_extent(problem, pieces.extents[0], {"yes_ids", "no_ids"})) return false;
        for (std::int64_t i = 0; i < pieces.extents[0]; ++i) // zeros stand at the end alone
            for (std::int64_t j = 0; j < pieces.extents[1]; ++j)
                if (pieces.at({i, j}) < 0 || (j > 0 && pieces.at({i, j}) > 0 && pieces.at({i, j - 1}) == 0))
                    return false;
        return true;
    }
    if (problem.route == "calibrate")
        return has(problem, {"scores", "labels", "weights"}) &&
               have_extent(problem, problem.array("scores").size(), {"labels", "weights"}) && is_fittable(problem);
    return is_assessable(problem);
}

} // namespace assay::p_yes_judge
