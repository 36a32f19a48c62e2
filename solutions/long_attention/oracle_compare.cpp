// Level error: a window with global tokens beside exact causal attention, in long double.
//
// The attempt works in float64, u = 2^-53. B_a and B_e are the bounds of the approximate and the exact elements
// (oracle_row.hpp), T the largest theta of a row.
//   mass          a row's kept mass is K / (K + R): its weights' errors move it by 2 T m (1 - m), its sums by u (n + 4)
//   m; max error     a maximum moves no more than what it is taken of: max (B_a + B_e) + 4 u max; relative      |a - e|
//   moves by |B_a + B_e|, |e| by |B_e|: (|B_a + B_e| + r |B_e|) / |e| + u (N + 6) r.
#include "core/items.hpp"
#include "oracle.hpp"
#include "oracle_pattern.hpp"
#include "oracle_row.hpp"

#include <algorithm>

namespace assay::long_attention_judge {

namespace {

using real = long double;
constexpr double u = float64_unit;

/// What is gathered over all rows of all heads.
struct Gathered {
    double pairs = 0, kept = 0, rows = 0, elements = 0;
    double mass = 0, mass_bound = 0, least = 1, least_bound = 0;
    real apart = 0, exact = 0, approximate = 0; // squares
    double apart_bound = 0, exact_bound = 0;    // squares of bounds
    double largest = 0, largest_signed = 0, sum_apart = 0, largest_bound = 0;
    double by_row = 0, by_row_bound = 0;
};

struct Row {
    std::vector<real> exact, near;
    std::vector<double> exact_bound, near_bound;
    double mass = 0, mass_bound = 0, kept = 0;
};

class Comparer {
  public:
    Comparer(const Problem& problem, const Slips& on)
        : in_(problem), on_(on), scale_(scale()),
          pattern_(static_cast<std::int64_t>(in_.L), problem.integer("window"), problem.integer("globals"), on) {}

    std::optional<Gathered> run() {
        Gathered all;
        for (std::size_t h = 0; h < in_.H; ++h)
            for (std::size_t i = 0; i < in_.L; ++i) {
                Row row;
                if (!compute(h, i, row)) return std::nullopt;
                gather(row, static_cast<double>(i) + 1, all);
            }
        return all;
    }

    const Inputs<real>& in() const { return in_; }

  private:
    const Inputs<real> in_;
    const Slips& on_;
    real scale_;
    Pattern pattern_;

    real scale() const {
        const auto D = static_cast<real>(in_.D);
        return on_("scale-missing") ? 1 : on_("scale-by-dimension") ? 1 / D : 1 / std::sqrt(D);
    }

    Term<real> term(std::size_t h, std::size_t i, std::int64_t key) const {
        if (key < 0) return {0, 0, nullptr};
        const auto j = static_cast<std::size_t>(key);
        double size = 0;
        const real s = logit(in_.query(h, i), in_.key(h, j), in_.D, scale_, size);
        return {s, (static_cast<double>(in_.D) + 4) * size, in_.value(h, j)};
    }

    bool compute(std::size_t h, std::size_t i, Row& row) const {
        Terms<real> all, kept;
        const auto last = static_cast<std::int64_t>(on_("exact-not-causal") ? in_.L - 1 : i);
        for (std::int64_t j = 0; j <= last; ++j) all.push_back(term(h, i, j));
        const std::vector<std::int64_t> keys = pattern_.keys(static_cast<std::int64_t>(i));
        for (const std::int64_t key : keys) kept.push_back(term(h, i, key));
        row.kept = static_cast<double>(keys.size());
        row.exact.resize(in_.Dv), row.near.resize(in_.Dv);
        row.exact_bound.resize(in_.Dv), row.near_bound.resize(in_.Dv);
        if (kept.empty()) return false;

        const real m = largest_of(all);
        real sum = 0, on_kept = 0;
        double stray = 0;
        for (const Term<real>& one : all) {
            sum += std::exp(one.s - m);
            stray = std::max(stray, stray_of(one, m, 0, u));
        }
        for (std::size_t t = 0; t < keys.size(); ++t)
            if (keys[t] >= 0 && keys[t] <= last) on_kept += std::exp(kept[t].s - m);
        const auto n = static_cast<double>(all.size());
        row.mass = on_("mass-after-mask") ? 1 : static_cast<double>(on_kept / sum);
        row.mass_bound = 2 * stray * row.mass * std::fabs(1 - row.mass) + u * (n + 4) * row.mass;

        if (on_("mask-after-softmax"))
            for (std::size_t j = 0; j < all.size(); ++j)
                if (std::find(keys.begin(), keys.end(), static_cast<std::int64_t>(j)) == keys.end())
                    kept.push_back({all[j].s, all[j].e, nullptr});
        return softmax_row<real>(all, in_.Dv, u, float64_least, {}, row.exact.data(), row.exact_bound.data()) &&
               softmax_row<real>(kept, in_.Dv, u, float64_least, {}, row.near.data(), row.near_bound.data());
    }

    void gather(const Row& row, double causal, Gathered& all) const {
        all.pairs += on_("exact-not-causal") ? static_cast<double>(in_.L) : causal;
        all.kept += row.kept;
        all.rows += 1;
        all.mass += row.mass;
        all.mass_bound += row.mass_bound;
        all.least = std::min(all.least, row.mass);
        all.least_bound = std::max(all.least_bound, row.mass_bound);
        double apart = 0, exact = 0, bound = 0, exact_bound = 0;
        for (std::size_t d = 0; d < in_.Dv; ++d) {
            const real difference = row.near[d] - row.exact[d];
            const double both = row.near_bound[d] + row.exact_bound[d];
            const auto distance = static_cast<double>(std::fabs(difference));
            all.elements += 1;
            all.apart += difference * difference;
            all.exact += row.exact[d] * row.exact[d];
            all.approximate += row.near[d] * row.near[d];
            all.apart_bound += both * both;
            all.exact_bound += row.exact_bound[d] * row.exact_bound[d];
            all.largest = std::max(all.largest, distance);
            all.largest_signed = std::max(all.largest_signed, static_cast<double>(difference));
            all.largest_bound = std::max(all.largest_bound, both);
            all.sum_apart += distance;
            apart += distance * distance;
            exact += static_cast<double>(row.exact[d] * row.exact[d]);
            bound += both * both;
            exact_bound += row.exact_bound[d] * row.exact_bound[d];
        }
        const double ratio = std::sqrt(apart / exact);
        all.by_row += ratio;
        all.by_row_bound += (std::sqrt(bound) + ratio * std::sqrt(exact_bound)) / std::sqrt(exact) + 8 * u * ratio;
    }
};

} // namespace

std::optional<Truths> compared(const Problem& problem, const Slips& on) {
    Comparer comparer(problem, on);
    const std::optional<Gathered> all = comparer.run();
    if (!all) return std::nullopt;
    const auto& in = comparer.in();
    const double L = static_cast<double>(in.L), H = static_cast<double>(in.H);
    const double w = static_cast<double>(problem.integer("window")),
                 g = static_cast<double>(problem.integer("globals"));
    const double kept = on("pairs-by-rule") ? H * L * std::min(w + g, L) : all->kept;
    const double mac = on("mac-as-one") ? 1 : 2;
    const double width = static_cast<double>(in.D) + (on("values-forgotten") ? 0 : static_cast<double>(in.Dv));
    const double norm = std::sqrt(static_cast<double>(on("relative-to-approximation") ? all->approximate : all->exact));
    double relative = std::sqrt(static_cast<double>(all->apart)) / norm;
    double bound = (std::sqrt(all->apart_bound) + relative * std::sqrt(all->apart_bound)) / norm +
                   u * (all->elements + 6) * relative;
    if (on("norm-not-rooted")) {
        bound = 2 * relative * bound + bound * bound;
        relative *= relative;
    } else if (on("relative-by-row")) {
        relative = all->by_row / all->rows;
        bound = all->by_row_bound / all->rows + u * (all->rows + 6) * relative;
    }
    const double largest = on("error-signed")     ? all->largest_signed
                           : on("error-averaged") ? all->sum_apart / all->elements
                                                  : all->largest;
    const double mean = all->mass / all->rows;
    Items items;
    items.number("pairs_exact", all->pairs)
        .number("pairs_kept", kept)
        .number("share", kept / all->pairs)
        .number("flops_saved", mac * width * (all->pairs - kept), "FLOP", 32, mac * width * all->pairs);
    Truths truths = items.take();
    const auto add = [&](const char* name, double value, double off) {
        Truth truth;
        truth.name = name;
        truth.value = {value};
        truth.bound = {std::isfinite(value) ? off : 0};
        truth.dtype = Dtype::f64;
        truths.push_back(std::move(truth));
    };
    add("mean_mass", mean, all->mass_bound / all->rows + u * (all->rows + 2) * mean);
    add("least_mass", all->least, all->least_bound);
    add("max_error", largest, all->largest_bound + u * (all->elements + 4) * largest);
    add("relative_error", relative, bound);
    return truths;
}

} // namespace assay::long_attention_judge
