// Which route is answered by what, and the contract's preconditions.
#include "oracle.hpp"

#include "oracle_inputs.hpp"
#include "oracle_mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace assay::long_attention_judge {

namespace {

struct Route {
    const char* name;
    std::vector<const char*> fields;
};

const std::vector<Route>& routes() {
    static const std::vector<Route> all{
        {"cost_of", {"how", "tokens", "heads", "head_dim", "element_bytes", "block", "window", "rank", "features"}},
        {"crossover", {"head_dim", "rank", "features"}},
        {"sliding_window", {"q", "k", "v", "window", "out"}},
        {"linear_attention", {"q", "k", "v", "eps", "out"}},
        {"random_features", {"q", "k", "v", "omega", "out"}},
        {"low_rank", {"q", "k", "v", "e", "f", "out"}},
        {"window_with_globals", {"q", "k", "v", "window", "globals", "out"}},
        {"compare", {"q", "k", "v", "window", "globals"}},
    };
    return all;
}

std::optional<Truths> answer(const Problem& problem, const Slips& on) {
    const std::string& route = problem.route;
    if (route == "cost_of") return costs(problem, on);
    if (route == "crossover") return crossover(problem, on);
    if (route == "sliding_window" || route == "window_with_globals") return sliding(problem, on);
    if (route == "linear_attention") return linear(problem, on);
    if (route == "random_features") return random_feature(problem, on);
    if (route == "low_rank") return low_rank(problem, on);
    if (route == "compare") return compared(problem, on);
    throw std::logic_error("long_attention has no route '" + route + "'");
}

bool bounded(const Array& array, double most) {
    const std::vector<double> values = array.values();
    return std::all_of(values.begin(), values.end(), [&](double x) { return std::fabs(x) <= most; });
}

bool tensors_fit(const Problem& problem) {
    for (const Field& field : problem.fields) {
        const auto* array = std::get_if<Array>(&field.value);
        if (array == nullptr) continue;
        const bool matrix = field.name == "omega" || field.name == "e" || field.name == "f";
        if (array->rank() != (matrix ? 2u : 3u) || array->size() == 0 || !array->is_contiguous()) return false;
        if (field.name != "out" && !bounded(*array, 1e3)) return false;
    }
    const Index& q = problem.array("q").extents;
    const Index& v = problem.array("v").extents;
    return problem.array("k").extents == q && v[0] == q[0] && v[1] == q[1] &&
           (!problem.has("out") || problem.array("out").extents == v);
}

/// elu + 1 within what float32 holds with digits to spare.
bool is_linear(const Problem& problem) {
    const double eps = problem.number_or("eps", 0);
    return eps >= 1e-12 && eps <= 1 && bounded(problem.array("q"), 10) && bounded(problem.array("k"), 10);
}

bool is_low_rank(const Problem& problem) {
    const Index& e = problem.array("e").extents;
    return problem.array("f").extents == e && e[1] == problem.array("q").extents[1] &&
           bounded(problem.array("e"), 10) && bounded(problem.array("f"), 10);
}

/// Exponents of one query, and of all keys of one head, lie within 60 of each other and between -2000 and 2000.
bool is_random(const Problem& problem) {
    const Inputs<double> in(problem);
    const std::vector<double> omega = dense<double>(problem.array("omega"));
    if (problem.array("omega").extents[1] != static_cast<std::int64_t>(in.D)) return false;
    const double temperature = std::pow(static_cast<double>(in.D), 0.25);
    struct Span {
        double low = 1e300, high = -1e300;
        bool fits() const { return high - low <= 60 && low >= -2000 && high <= 2000; }
    };
    const auto meet = [&](const double* x, Span& span) {
        double norm = 0;
        for (std::size_t d = 0; d < in.D; ++d) norm += x[d] * x[d] / temperature / temperature / 2;
        for (std::size_t m = 0; m * in.D < omega.size(); ++m) {
            double dot = 0;
            for (std::size_t d = 0; d < in.D; ++d) dot += omega[m * in.D + d] * x[d] / temperature;
            span.low = std::min(span.low, dot - norm);
            span.high = std::max(span.high, dot - norm);
        }
    };
    for (std::size_t h = 0; h < in.H; ++h) {
        Span keys;
        for (std::size_t i = 0; i < in.L; ++i) {
            Span query;
            meet(in.query(h, i), query);
            meet(in.key(h, i), keys);
            if (!query.fits()) return false;
        }
        if (!keys.fits()) return false;
    }
    return true;
}

bool is_crossover(const Problem& problem) {
    for (const char* name : {"head_dim", "rank", "features"}) {
        if (problem.integer(name) < 1) return true; // nothing hangs on a quotient
        if (problem.integer(name) > 1000000) return false;
    }
    const auto D = static_cast<double>(problem.integer("head_dim")),
               m = static_cast<double>(problem.integer("features"));
    const double memory = std::sqrt(state_elements(D, D, {}) / 2);
    return is_decided(state_flops(D, D, false, {}), 4 * D) && is_decided(state_flops(D, m, true, {}), 4 * D) &&
           is_decided(m * (D + 1), 2 * D) && std::fabs(memory - std::nearbyint(memory)) > 1e-9 * memory;
}

} // namespace

std::vector<Mistake> mistakes() {
    std::vector<Mistake> all;
    for (const Entry& entry : entries()) {
        Mistake mistake;
        mistake.id = entry.id;
        mistake.sentence = entry.sentence;
        mistake.twins = entry.twins;
        for (const Form& form : entry.forms) mistake.levels.emplace_back(form.level);
        all.push_back(std::move(mistake));
    }
    return all;
}

std::optional<Truths> oracle(const Problem& problem, const Slips& on) {
    const Slips made = made_in(problem.route, on);
    if (!problem.has("out")) return answer(problem, made);
    if (!on.none() && problem.array("q").extents[1] > longest_with_mistakes) return std::nullopt;
    if (how_many(on) > 1) return std::nullopt;
    return answer(problem, made);
}

bool valid(const Problem& problem) {
    const auto route =
        std::find_if(routes().begin(), routes().end(), [&](const Route& one) { return problem.route == one.name; });
    if (route == routes().end()) return false;
    for (const char* field : route->fields)
        if (!problem.has(field)) return false;
    if (problem.route == "cost_of") return problem.integer("how") >= 0 && problem.integer("how") <= 5;
    if (problem.route == "crossover") return is_crossover(problem);
    if (!tensors_fit(problem)) return false;
    if (problem.has("window") && problem.integer("window") < 1) return false;
    if (problem.has("globals") && problem.integer("globals") < 0) return false;
    if (problem.route == "linear_attention") return is_linear(problem);
    if (problem.route == "low_rank") return is_low_rank(problem);
    if (problem.route == "random_features") return is_random(problem);
    if (problem.route != "compare") return true;
    // Errors are relative to a norm that is not 0: the first row's is that of v's.
    const std::vector<double> v = problem.array("v").values();
    const auto Dv = static_cast<std::ptrdiff_t>(problem.array("v").extents[2]);
    return std::any_of(v.begin(), v.begin() + Dv, [](double x) { return std::fabs(x) >= 1e-3; });
}

} // namespace assay::long_attention_judge
