// Level low-rank: keys and values projected along the sequence (Wang et al., "Linformer", 2020, section 4).
//
// Over the bound of a softmax row (oracle_row.hpp) with n = R: a projected key is off by u (L + 1) sum |e k|, which
// moves its logit by |scale| |q| times that; a projected value by u (L + 1) sum |f v|, which moves the row by its mean
// under p.
#include "oracle.hpp"
#include "oracle_row.hpp"

namespace assay::long_attention_judge {

namespace {

constexpr double u = float32_unit;

/// (R, L), read so or as if it lay (L, R).
class Projection {
  public:
    Projection(const Problem& problem, const char* name, bool transposed)
        : values_(dense<double>(problem.array(name))), R_(static_cast<std::size_t>(problem.array(name).extents[0])),
          L_(static_cast<std::size_t>(problem.array(name).extents[1])), transposed_(transposed) {}

    std::size_t rows() const { return R_; }
    double at(std::size_t r, std::size_t j) const { return transposed_ ? values_[j * R_ + r] : values_[r * L_ + j]; }

    /// Rows (R, width) of this times x (L, width), and sum |this x|.
    void apply(const double* x, std::size_t width, double factor, std::vector<double>& out,
               std::vector<double>& sizes) const {
        out.assign(R_ * width, 0);
        sizes.assign(R_ * width, 0);
        for (std::size_t r = 0; r < R_; ++r)
            for (std::size_t j = 0; j < L_; ++j)
                for (std::size_t d = 0; d < width; ++d) {
                    const double term = factor * at(r, j) * x[j * width + d];
                    out[r * width + d] += term;
                    sizes[r * width + d] += std::fabs(term);
                }
    }

  private:
    std::vector<double> values_;
    std::size_t R_, L_;
    bool transposed_;
};

struct Head {
    std::vector<double> k, k_size, v, v_size; // projected
};

double scale_of(const Inputs<double>& in, std::size_t R, const Slips& on) {
    if (on("scale-missing")) return 1;
    if (on("scale-by-dimension")) return 1 / static_cast<double>(in.D);
    return 1 / std::sqrt(static_cast<double>(on("scale-by-rank") ? R : in.D));
}

Terms<double> terms_of(const Inputs<double>& in, const Head& head, std::size_t h, std::size_t i, std::size_t R,
                       const Slips& on) {
    const double scale = scale_of(in, R, on);
    Terms<double> terms;
    for (std::size_t r = 0; r < R; ++r) {
        if (on("causal-mask-applied") && r > i) break;
        double size = 0, moved = 0;
        const double s = logit(in.query(h, i), head.k.data() + r * in.D, in.D, scale, size);
        for (std::size_t d = 0; d < in.D; ++d)
            moved += scale * std::fabs(in.query(h, i)[d]) * head.k_size[r * in.D + d];
        const double e = (static_cast<double>(in.D) + 4) * size + (static_cast<double>(in.L) + 1) * moved;
        terms.push_back({s, e, head.v.data() + r * in.Dv});
    }
    return terms;
}

/// Softmax over all L keys, then its weights projected: O(L²), and another function.
Terms<double> projected_after(const Inputs<double>& in, std::size_t h, std::size_t i, double scale) {
    Terms<double> terms;
    for (std::size_t j = 0; j < in.L; ++j) {
        double size = 0;
        const double s = logit(in.query(h, i), in.key(h, j), in.D, scale, size);
        terms.push_back({s, (static_cast<double>(in.D) + 4) * size, nullptr});
    }
    return terms;
}

} // namespace

std::optional<Truths> low_rank(const Problem& problem, const Slips& on) {
    const Inputs<double> in(problem);
    const bool transposed = on("projection-transposed");
    const Projection own_e(problem, "e", transposed), own_f(problem, "f", transposed);
    const bool swapped = on("projections-swapped");
    const Projection& e = swapped || on("one-projection", 1) ? own_f : own_e;
    const Projection& f = swapped || on("one-projection", 0) ? own_e : own_f;
    const std::size_t R = e.rows(), L = in.L, Dv = in.Dv;
    const double factor = on("projection-averaged") ? 1 / static_cast<double>(L) : 1;
    Truths truths{blank(problem, "out")};
    for (std::size_t h = 0; h < in.H; ++h) {
        Head head;
        e.apply(on("queries-projected") ? in.query(h, 0) : in.key(h, 0), in.D, factor, head.k, head.k_size);
        f.apply(in.value(h, 0), Dv, factor, head.v, head.v_size);
        std::vector<Terms<double>> rows;
        for (std::size_t i = 0; i < L; ++i) rows.push_back(terms_of(in, head, h, i, R, on));
        std::vector<double> column_max(R, -std::numeric_limits<double>::infinity()), column_sum(R);
        for (const Terms<double>& row : rows)
            for (std::size_t r = 0; r < row.size(); ++r) column_max[r] = std::max(column_max[r], row[r].s);
        for (const Terms<double>& row : rows)
            for (std::size_t r = 0; r < row.size(); ++r) column_sum[r] += std::exp(row[r].s - column_max[r]);
        for (std::size_t i = 0; i < L; ++i) {
            double* const value = truths[0].value.data() + (h * L + i) * Dv;
            double* const bound = truths[0].bound.data() + (h * L + i) * Dv;
            const Terms<double>& row = rows[i];
            if (on("normalised-over-queries") || on("projected-after-softmax")) {
                // Weights p_r of projected values: sum over r, no normalisation of the row itself.
                std::vector<double> p(R), stray(R);
                if (on("normalised-over-queries")) {
                    for (std::size_t r = 0; r < row.size(); ++r) {
                        p[r] = std::exp(row[r].s - column_max[r]) / column_sum[r];
                        double worst = 0;
                        for (const Terms<double>& other : rows)
                            if (r < other.size()) worst = std::max(worst, stray_of(other[r], column_max[r], 0, u));
                        stray[r] = p[r] * (2 * worst + u * static_cast<double>(L + R + 6));
                    }
                } else {
                    const Terms<double> whole = projected_after(in, h, i, scale_of(in, R, on));
                    const double m = largest_of(whole);
                    double sum = 0;
                    for (const Term<double>& term : whole) sum += std::exp(term.s - m);
                    for (std::size_t r = 0; r < R; ++r)
                        for (std::size_t j = 0; j < L; ++j) {
                            const double part = std::exp(whole[j].s - m) / sum * factor * e.at(r, j);
                            p[r] += part;
                            stray[r] += std::fabs(part) *
                                        (2 * stray_of(whole[j], m, 0, u) + u * static_cast<double>(2 * L + R + 6));
                        }
                }
                for (std::size_t d = 0; d < Dv; ++d)
                    for (std::size_t r = 0; r < R; ++r) {
                        const std::size_t at = r * Dv + d;
                        value[d] += p[r] * head.v[at];
                        bound[d] += stray[r] * std::fabs(head.v[at]) +
                                    u * static_cast<double>(L + R + 2) * std::fabs(p[r]) * head.v_size[at] +
                                    float32_least;
                    }
                continue;
            }
            std::optional<double> centre;
            if (on("no-max")) centre = 0;
            if (!softmax_row(row, Dv, u, float32_least, centre, value, bound)) return std::nullopt;
            const double m = largest_of(row);
            double sum = 0;
            for (const Term<double>& term : row) sum += std::exp(term.s - m);
            for (std::size_t d = 0; d < Dv && std::isfinite(value[d]); ++d)
                for (std::size_t r = 0; r < row.size(); ++r)
                    bound[d] += std::exp(row[r].s - m) / sum * u * static_cast<double>(L + 1) * head.v_size[r * Dv + d];
        }
    }
    return truths;
}

} // namespace assay::long_attention_judge
