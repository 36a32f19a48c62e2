// Levels window and global-tokens.
#include "oracle.hpp"
#include "oracle_pattern.hpp"
#include "oracle_row.hpp"

namespace assay::long_attention_judge {

namespace {

/// The weights of each key summed over its queries to 1: softmax over the wrong axis.
class OverQueries {
  public:
    OverQueries(std::size_t L)
        : max_(L + 1, -std::numeric_limits<double>::infinity()), sum_(L + 1), stray_(L + 1), count_(L + 1) {}

    void meet(std::size_t key, const Term<double>& term) { max_[key] = std::max(max_[key], term.s); }
    void add(std::size_t key, const Term<double>& term) {
        sum_[key] += std::exp(term.s - max_[key]);
        stray_[key] = std::max(stray_[key], stray_of(term, max_[key], 0, float32_unit));
        count_[key] += 1;
    }
    /// Adds the term's part to an element's value and bound.
    void give(std::size_t key, const Term<double>& term, double v, double n, double& value, double& bound) const {
        const double p = std::exp(term.s - max_[key]) / sum_[key];
        value += p * v;
        bound +=
            p * std::fabs(v) *
                (2 * stray_[key] + stray_of(term, max_[key], 0, float32_unit) + float32_unit * (count_[key] + n + 6)) +
            float32_least * (1 + std::fabs(v));
    }

  private:
    std::vector<double> max_, sum_, stray_, count_; // by key; the last is the padding's
};

struct Rows {
    const Inputs<double>& in;
    const Pattern& pattern;
    double scale;

    Terms<double> of(std::size_t h, std::size_t i, const std::vector<std::int64_t>& keys) const {
        Terms<double> terms;
        for (const std::int64_t key : keys) {
            if (key < 0) {
                terms.push_back({0, 0, nullptr});
                continue;
            }
            const auto j = static_cast<std::size_t>(key);
            double size = 0;
            const double s = logit(in.query(h, i), in.key(h, j), in.D, scale, size);
            terms.push_back({s, (static_cast<double>(in.D) + 4) * size, in.value(h, j)});
        }
        return terms;
    }
};

void over_queries(const Rows& rows, std::size_t h, Truth& out) {
    const std::size_t L = rows.in.L, Dv = rows.in.Dv;
    OverQueries columns(L);
    std::vector<std::vector<std::int64_t>> keys;
    std::vector<Terms<double>> terms;
    for (std::size_t i = 0; i < L; ++i) {
        keys.push_back(rows.pattern.keys(static_cast<std::int64_t>(i)));
        terms.push_back(rows.of(h, i, keys[i]));
    }
    const auto column = [&](std::size_t i, std::size_t t) {
        return keys[i][t] < 0 ? L : static_cast<std::size_t>(keys[i][t]);
    };
    for (std::size_t i = 0; i < L; ++i)
        for (std::size_t t = 0; t < terms[i].size(); ++t) columns.meet(column(i, t), terms[i][t]);
    for (std::size_t i = 0; i < L; ++i)
        for (std::size_t t = 0; t < terms[i].size(); ++t) columns.add(column(i, t), terms[i][t]);
    for (std::size_t i = 0; i < L; ++i)
        for (std::size_t t = 0; t < terms[i].size(); ++t)
            for (std::size_t d = 0; d < Dv && terms[i][t].v != nullptr; ++d)
                columns.give(column(i, t), terms[i][t], terms[i][t].v[d], static_cast<double>(terms[i].size()),
                             out.value[(h * L + i) * Dv + d], out.bound[(h * L + i) * Dv + d]);
}

/// What a mistake subtracts from the logits of row i in place of their maximum.
std::optional<double> centre_of(const Rows& rows, std::size_t h, std::size_t i, const Terms<double>& terms,
                                const Slips& on) {
    if (on("no-max")) return 0;
    if (!on("max-never-leaves")) return std::nullopt;
    std::vector<std::int64_t> seen;
    for (std::size_t j = 0; j <= i; ++j) seen.push_back(static_cast<std::int64_t>(j));
    return std::max(largest_of(rows.of(h, i, seen)), largest_of(terms));
}

/// Keys of the row's causal softmax that are not kept: with mask-after-softmax they weigh in the denominator.
void add_masked(const Rows& rows, std::size_t h, std::size_t i, const std::vector<std::int64_t>& keys,
                Terms<double>& terms) {
    std::vector<std::int64_t> others;
    for (std::int64_t j = 0; j <= static_cast<std::int64_t>(i); ++j)
        if (std::find(keys.begin(), keys.end(), j) == keys.end()) others.push_back(j);
    for (Term<double> term : rows.of(h, i, others)) {
        term.v = nullptr;
        terms.push_back(term);
    }
}

/// Window and global keys normalised apart, and averaged.
void halves(const Terms<double>& one, const Terms<double>& other, std::size_t Dv, double* out, double* bound) {
    std::vector<double> a(2 * Dv), b(2 * Dv);
    softmax_row<double>(one, Dv, float32_unit, float32_least, {}, a.data(), a.data() + Dv);
    softmax_row<double>(other, Dv, float32_unit, float32_least, {}, b.data(), b.data() + Dv);
    for (std::size_t d = 0; d < Dv; ++d) {
        out[d] = (a[d] + b[d]) / 2;
        bound[d] = (a[Dv + d] + b[Dv + d]) / 2 + float32_unit * std::fabs(out[d]);
    }
}

} // namespace

std::optional<Truths> sliding(const Problem& problem, const Slips& on) {
    const Inputs<double> in(problem);
    const auto D = static_cast<double>(in.D);
    const auto length = static_cast<std::int64_t>(in.L);
    const std::int64_t globals = problem.has("globals") ? problem.integer("globals") : 0;
    const Pattern pattern(length, problem.integer("window"), globals, on);
    const Rows rows{in, pattern, on("scale-missing") ? 1 : on("scale-by-dimension") ? 1 / D : 1 / std::sqrt(D)};
    Truths truths{blank(problem, "out")};
    Truth& out = truths[0];
    for (std::size_t h = 0; h < in.H; ++h) {
        if (on("normalised-over-queries")) {
            over_queries(rows, h, out);
            continue;
        }
        for (std::size_t i = 0; i < in.L; ++i) {
            double* const value = out.value.data() + (h * in.L + i) * in.Dv;
            double* const bound = out.bound.data() + (h * in.L + i) * in.Dv;
            if (pattern.left_out(static_cast<std::int64_t>(i))) continue;
            const std::vector<std::int64_t> keys = pattern.keys(static_cast<std::int64_t>(i));
            Terms<double> terms = rows.of(h, i, keys);
            if (terms.empty()) {
                if (pattern.empty_is_nan()) std::fill(value, value + in.Dv, not_a_number);
                continue;
            }
            if (on("two-softmaxes")) {
                const std::int64_t low = static_cast<std::int64_t>(i) - problem.integer("window") + 1;
                const auto split = std::count_if(keys.begin(), keys.end(), [&](std::int64_t j) { return j < low; });
                const Terms<double> one(terms.begin(), terms.begin() + split),
                    other(terms.begin() + split, terms.end());
                if (!one.empty() && !other.empty()) {
                    halves(one, other, in.Dv, value, bound);
                    continue;
                }
            }
            const std::optional<double> centre = centre_of(rows, h, i, terms, on);
            if (on("mask-after-softmax")) add_masked(rows, h, i, keys, terms);
            if (!softmax_row(terms, in.Dv, float32_unit, float32_least, centre, value, bound)) return std::nullopt;
        }
    }
    return truths;
}

} // namespace assay::long_attention_judge
