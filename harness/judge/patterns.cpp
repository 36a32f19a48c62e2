// Claims are made output by output, and only those that every failing output makes are kept.
#include "judge/patterns.hpp"

#include "judge/elements.hpp"
#include "judge/pattern_readers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace assay {

namespace {

constexpr int enough_evidence = 3;

bool all_finite(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Makes the claims of one output, most telling first. `wanted` (null = all): claims that an earlier output made;
/// others would be dropped again, and a thousand outputs are read for one that is told.
class Reading {
  public:
    Reading(const Problem& problem, const Truth& truth, const std::vector<double>& got, const Array* previous,
            const std::vector<Patterns::Claim>* wanted)
        : problem_(problem), truth_(truth), previous_(previous),
          wanted_(wanted), seen_{truth.extents, got, truth.value, truth.bound} {}

    std::vector<Patterns::Claim> claims() {
        if (all_finite(seen_.got) && all_finite(seen_.truth)) {
            copies();
            orders();
            factors();
            precisions();
        }
        beginnings();
        return std::move(claims_);
    }

  private:
    const Problem& problem_;
    const Truth& truth_;
    const Array* previous_;
    const std::vector<Patterns::Claim>* wanted_;
    Seen seen_;
    std::vector<Patterns::Claim> claims_;

    bool wanted(std::string_view id) const {
        return wanted_ == nullptr || std::any_of(wanted_->begin(), wanted_->end(),
                                                 [&](const Patterns::Claim& claim) { return claim.id == id; });
    }

    void enter(int evidence, const char* id, std::string detail, double constant, std::string sentence) {
        claims_.push_back({id, std::move(detail), constant, std::move(sentence), evidence});
    }

    void copies() {
        if (wanted("pattern:zero"))
            if (const int evidence = is_zero(seen_); evidence >= 0)
                enter(evidence, "pattern:zero", "", 0, "your output is 0 everywhere");
        if (wanted("pattern:input"))
            for (const Field& field : problem_.fields)
                if (const auto* input = std::get_if<Array>(&field.value))
                    if (const int evidence = is_equal_to(seen_, *input); evidence >= 0)
                        enter(evidence, "pattern:input", field.name, 0, "your output is the input " + field.name);
        if (previous_ != nullptr && wanted("pattern:previous"))
            if (const int evidence = is_equal_to(seen_, *previous_); evidence >= 0)
                enter(evidence, "pattern:previous", "", 0,
                      "your output is the one of the case before, as where something is kept between calls");
    }

    void orders() {
        const std::size_t rank = truth_.extents.size();
        if (rank < 2 || rank > 4 || !wanted("pattern:transposed")) return;
        std::vector<std::size_t> order(rank);
        std::iota(order.begin(), order.end(), std::size_t{0});
        while (std::next_permutation(order.begin(), order.end()))
            if (const int evidence = is_transposed(seen_, order); evidence >= 0)
                enter(evidence, "pattern:transposed", fmt::format("{}", fmt::join(order, ", ")), 0,
                      fmt::format("your output holds the right values, written with its axes in the order ({})",
                                  fmt::join(order, ", ")));
    }

    void factors() {
        if (wanted("pattern:ratio"))
            if (const double ratio = factor_of(seen_, 0, seen_.size());
                std::isfinite(ratio) && ratio != 0 && std::fabs(ratio - 1) > 1e-3)
                if (const int evidence = is_scaled(seen_, 0, seen_.size(), ratio); evidence >= 0)
                    enter(evidence, "pattern:ratio", "", ratio,
                          fmt::format("your output is {:.4g} times the right one", ratio));
        double shift = 0;
        if (wanted("pattern:offset"))
            if (const int evidence = is_offset(seen_, shift); evidence >= 0)
                enter(evidence, "pattern:offset", "", shift,
                      fmt::format("your output is the right one plus {:.4g}", shift));
        if (truth_.extents.size() >= 2 && wanted("pattern:row-scale"))
            if (const int evidence = is_scaled_by_row(seen_); evidence >= 0)
                enter(evidence, "pattern:row-scale", "", 0,
                      "each row of your output is the right one times a factor of its own, as where weights do not sum "
                      "to 1");
    }

    void precisions() {
        if (truth_.dtype != Dtype::f32 && truth_.dtype != Dtype::f64) return;
        for (const Precision& precision : lower_precisions)
            if (wanted("pattern:rounded"))
                if (const int evidence = is_rounded(seen_, precision); evidence >= 0) {
                    const std::string name(name_of(precision.dtype));
                    enter(evidence, "pattern:rounded", name, 0,
                          fmt::format("every element of your output is a {} number, as where it was rounded to {}",
                                      name, name));
                }
        for (const Precision& precision : lower_precisions)
            if (wanted("pattern:precision"))
                if (const int evidence = is_imprecise(seen_, precision); evidence >= 0) {
                    const std::string name(name_of(precision.dtype));
                    enter(evidence, "pattern:precision", name, 0,
                          fmt::format("the errors of your output are as large as {}'s rounding, as where something was "
                                      "computed in {}",
                                      name, name));
                }
    }

    void beginnings() {
        if (!wanted("pattern:from-index")) return;
        for (std::size_t axis = 0; axis < truth_.extents.size(); ++axis) {
            int wrong = 0;
            const std::int64_t first = first_wrong(seen_, axis, wrong);
            if (first < 2) continue; // one index that is right is no pattern
            enter(wrong, "pattern:from-index", fmt::format("{} {} {}", truth_.name, axis, first), 0,
                  fmt::format("{} is right before index {} of axis {} and wrong from there on", truth_.name, first,
                              axis));
        }
    }
};

} // namespace

void Patterns::keep_shared(std::vector<Claim> claims) {
    if (!begun_) {
        held_ = std::move(claims);
        begun_ = true;
        return;
    }
    std::vector<Claim> kept;
    for (Claim& held : held_)
        for (const Claim& now : claims)
            if (now.id == held.id && now.detail == held.detail &&
                std::fabs(now.constant - held.constant) <= 1e-3 * std::fabs(held.constant)) {
                held.evidence += now.evidence;
                kept.push_back(std::move(held));
                break;
            }
    held_ = std::move(kept);
}

void Patterns::add_unreadable() { keep_shared({}); }

void Patterns::add(const Problem& problem, const Outputs& got, const Truths& truths, const Outputs* previous) {
    if (begun_ && held_.empty()) return; // none can come back
    bool some_right = false;             // and not 0: then the answer is not 0 everywhere
    for (const Truth& truth : truths) {
        const Array* array = got.find(truth.name);
        if (array == nullptr) return add_unreadable();
        const std::vector<double> values = elements_of(*array);
        const Seen seen{truth.extents, values, truth.value, truth.bound};
        std::size_t right = 0;
        while (right < values.size() && seen.right(right)) ++right;
        if (right == values.size()) { // nothing to explain here
            some_right = some_right || std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
            continue;
        }
        const Array* before = previous != nullptr ? previous->find(truth.name) : nullptr;
        keep_shared(Reading(problem, truth, values, before, begun_ ? &held_ : nullptr).claims());
    }
    if (some_right) std::erase_if(held_, [](const Claim& claim) { return claim.id == "pattern:zero"; });
}

std::optional<Diagnosis> Patterns::result() const {
    for (const Claim& claim : held_)
        if (claim.evidence >= enough_evidence) return Diagnosis{claim.id, claim.sentence};
    return std::nullopt;
}

} // namespace assay
