// Level calibration, the rest: bins, expected calibration error, and the decision for two costs.
#include "core/items.hpp"
#include "oracle.hpp"

#include <algorithm>

namespace assay::p_yes_judge {

namespace {

struct Bin {
    real weight = 0, p = 0, yes = 0; // sums
};

struct Sample {
    real p, weight;
    bool yes;
};

bool is_good(const Problem& problem, const std::vector<double>& p, const std::vector<double>& w) {
    double total = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (!(p[i] >= 0 && p[i] <= 1) || !(w[i] >= 0) || std::isinf(w[i])) return false;
        total += w[i];
    }
    const auto is_cost = [](double cost) { return cost > 0 && std::isfinite(cost); };
    return total > 0 && problem.integer("bins") >= 1 && is_cost(problem.number_or("cost_false_yes", nan)) &&
           is_cost(problem.number_or("cost_false_no", nan));
}

/// Index of the bin (lo, hi] that p lies in; -1 and `bins` are no bins.
std::int64_t bin_of(double p, std::int64_t bins, const Slips& on) {
    const double at = p * static_cast<double>(bins);
    const double edge = std::round(at);
    const bool on_edge = p == edge / static_cast<double>(bins);
    const auto below = static_cast<std::int64_t>(on_edge ? edge : std::floor(at)); // [lo, hi)
    if (on("phantom-bin")) return below;
    if (on("closed-below")) return std::min(below, bins - 1);
    const std::int64_t index = on_edge ? below - 1 : below;
    return index < 0 && !on("zero-in-no-bin") ? 0 : index;
}

class Assessment {
  public:
    Assessment(const Problem& problem, const Slips& on) : problem_(problem), on_(on), bins_(problem.integer("bins")) {}

    Truths run() {
        const std::vector<double> p = problem_.array("p").values(), y = problem_.array("labels").values();
        const std::vector<double> w = problem_.array("weights").values();
        const bool ignored = on_("weights-ignored", 0) || on_("weights-ignored", 2);
        good_ = is_good(problem_, p, w);
        if (good_)
            for (std::size_t i = 0; i < p.size(); ++i) {
                samples_.push_back({p[i], ignored ? 1.0L : w[i], y[i] != 0});
                total_ += samples_.back().weight;
            }
        add_bins();
        add_error();
        decide();
        return items_.take();
    }

  private:
    const Problem& problem_;
    const Slips& on_;
    std::int64_t bins_;
    bool good_ = false;
    std::vector<Sample> samples_;
    real total_ = 0;
    std::vector<Bin> filled_;
    Bin phantom_; // what lies beyond the last bin, or before the first
    Items items_;

    /// A sum of n products and a quotient.
    double bound(real value) const {
        return static_cast<double>(float64.unit * (2 * static_cast<real>(samples_.size()) + 16) * std::fabs(value));
    }

    void add_bins() {
        const auto count = static_cast<std::size_t>(std::max<std::int64_t>(bins_, 0));
        filled_.resize(count);
        for (const Sample& one : samples_) {
            // the confidence in what is answered, and whether the answer was right
            const bool confidence = on_("confidence-for-p");
            const real p = confidence ? std::max(one.p, 1 - one.p) : one.p;
            const bool yes = confidence ? one.yes == (one.p >= 0.5L) : one.yes;
            const std::int64_t index = bin_of(static_cast<double>(p), bins_, on_);
            Bin& bin = index >= 0 && index < bins_ ? filled_[static_cast<std::size_t>(index)] : phantom_;
            bin.weight += one.weight;
            bin.p += one.weight * p;
            bin.yes += yes ? one.weight : 0;
        }
        std::vector<double> values[3], bounds[3];
        for (std::size_t m = 0; m < count; ++m) {
            const Bin& bin = filled_[m];
            const real mean = on_("bin-middle") && bin.weight > 0
                                  ? (static_cast<real>(m) + 0.5L) / static_cast<real>(bins_) * bin.weight
                                  : bin.p;
            filled_[m].p = mean;
            const real empty = on_("empty-bin-nan") ? nan : 0;
            const real all[] = {on_("bin-weight-no-share") ? bin.weight : bin.weight / total_,
                                bin.weight > 0 ? mean / bin.weight : empty,
                                bin.weight > 0 ? bin.yes / bin.weight : empty};
            for (std::size_t i = 0; i < 3; ++i) {
                values[i].push_back(good_ ? static_cast<double>(all[i]) : nan);
                bounds[i].push_back(good_ && std::isfinite(all[i]) ? bound(all[i]) : 0);
            }
        }
        const char* const names[] = {"bin_weight", "bin_p", "bin_yes"};
        for (std::size_t i = 0; i < 3; ++i)
            items_.tensor(names[i], {static_cast<std::int64_t>(count)}, std::move(values[i]), std::move(bounds[i]),
                          Dtype::f64);
    }

    void add_error() {
        std::vector<Bin> bins = filled_;
        if (on_("phantom-bin")) bins.push_back(phantom_);
        real sum = 0, most = 0, nonempty = 0;
        for (const Bin& bin : bins) {
            if (!(bin.weight > 0)) {
                if (on_("empty-bin-nan", 0)) sum = nan;
                continue;
            }
            nonempty += 1;
            real gap = (bin.yes - bin.p) / bin.weight;
            if (!on_("gap-with-sign")) gap = std::fabs(gap);
            if (on_("gap-squared")) gap *= gap;
            most = std::max(most, gap);
            const bool unweighted = on_("bins-unweighted");
            sum += gap * (unweighted ? 1 : bin.weight / total_);
        }
        if (on_("bin-weight-no-share", 0)) sum *= total_;
        if (on_("bins-unweighted", 0)) sum /= nonempty;
        if (on_("bins-unweighted", 1)) sum /= static_cast<real>(bins_);
        if (on_("gap-squared", 1)) sum = std::sqrt(sum);
        if (on_("largest-gap")) sum = most;
        const double value = good_ ? static_cast<double>(sum) : nan;
        // a gap is a difference of numbers up to 1
        const double most_gap = on_("bin-weight-no-share", 0) ? std::max(1.0, static_cast<double>(total_)) : 1;
        items_.number("ece", value, "", 2 * static_cast<double>(samples_.size() + bins.size()) + 32, most_gap);
    }

    void decide() {
        const real false_yes = problem_.number_or("cost_false_yes", nan);
        const real false_no = problem_.number_or("cost_false_no", nan);
        real threshold = false_yes / (false_yes + false_no);
        if (on_("costs-swapped")) threshold = false_no / (false_yes + false_no);
        if (on_("ratio-as-threshold")) threshold = false_yes / false_no;
        if (on_("threshold-half")) threshold = 0.5L;
        const double kept = good_ ? static_cast<double>(threshold) : nan;
        items_.number("threshold", kept);
        real said = 0, cost = 0;
        for (const Sample& one : samples_) {
            const double p = static_cast<double>(one.p);
            const bool yes = on_("tie-to-no") ? p > kept : p >= kept;
            said += yes ? one.weight : 0;
            if (yes != one.yes) cost += one.weight * (yes == !on_("cost-of-the-other") ? false_yes : false_no);
        }
        const double ulps = 2 * static_cast<double>(samples_.size()) + 32;
        items_.number("yes_share", good_ ? static_cast<double>(said / total_) : nan, "", ulps);
        const real all = on_("cost-summed") ? 1 : total_;
        items_.number("cost", good_ ? static_cast<double>(cost / all) : nan, "", ulps);
    }
};

} // namespace

Truths assess_level(const Problem& problem, const Slips& on) { return Assessment(problem, on).run(); }

} // namespace assay::p_yes_judge
