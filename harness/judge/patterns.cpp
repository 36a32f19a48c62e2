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

/// Makes the claims of one output, most telling first.
class Reading {
  public:
    Reading(const Problem& problem, const Truth& truth, const std::vector<double>& got, const Array* previous)
        : problem_(problem), truth_(truth), previous_(previous), seen_{truth.extents, got, truth.value, truth.bound} {}

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
    Seen seen_;
    std::vector<Patterns::Claim> claims_;

    void claim(int evidence, std::string id, std::string detail, double constant, std::string sentence) {
        if (evidence >= 0)
            claims_.push_back({std::move(id), std::move(detail), constant, std::move(sentence), evidence});
    }

    void copies() {
        claim(is_zero(seen_), "pattern:zero", "", 0, "your output is 0 everywhere");
        for (const Field& field : problem_.fields)
            if (const auto* input = std::get_if<Array>(&field.value))
                claim(is_equal_to(seen_, *input), "pattern:input", field.name, 0,
                      "your output is the input " + field.name);
        if (previous_ != nullptr)
            claim(is_equal_to(seen_, *previous_), "pattern:previous", "", 0,
                  "your output is the one of the case before, as where something is kept between calls");
    }

    void orders() {
        const std::size_t rank = truth_.extents.size();
        if (rank < 2 || rank > 4) return;
        std::vector<std::size_t> order(rank);
        std::iota(order.begin(), order.end(), std::size_t{0});
        while (std::next_permutation(order.begin(), order.end()))
            claim(is_transposed(seen_, order), "pattern:transposed", fmt::format("{}", fmt::join(order, ", ")), 0,
                  fmt::format("your output holds the right values, written with its axes in the order ({})",
                              fmt::join(order, ", ")));
    }

    void factors() {
        const double ratio = factor_of(seen_, 0, seen_.size());
        if (std::isfinite(ratio) && ratio != 0 && std::fabs(ratio - 1) > 1e-3)
            claim(is_scaled(seen_, 0, seen_.size(), ratio), "pattern:ratio", "", ratio,
                  fmt::format("your output is {:.4g} times the right one", ratio));
        double shift = 0;
        const int evidence = is_offset(seen_, shift);
        claim(evidence, "pattern:offset", "", shift, fmt::format("your output is the right one plus {:.4g}", shift));
        if (truth_.extents.size() >= 2)
            claim(
                is_scaled_by_row(seen_), "pattern:row-scale", "", 0,
                "each row of your output is the right one times a factor of its own, as where weights do not sum to 1");
    }

    void precisions() {
        if (truth_.dtype != Dtype::f32 && truth_.dtype != Dtype::f64) return;
        for (const Precision& precision : lower_precisions) {
            const std::string name(name_of(precision.dtype));
            claim(
                is_rounded(seen_, precision), "pattern:rounded", name, 0,
                fmt::format("every element of your output is a {} number, as where it was rounded to {}", name, name));
        }
        for (const Precision& precision : lower_precisions) {
            const std::string name(name_of(precision.dtype));
            claim(
                is_imprecise(seen_, precision), "pattern:precision", name, 0,
                fmt::format("the errors of your output are as large as {}'s rounding, as where something was computed "
                            "in {}",
                            name, name));
        }
    }

    void beginnings() {
        for (std::size_t axis = 0; axis < truth_.extents.size(); ++axis) {
            int wrong = 0;
            const std::int64_t first = first_wrong(seen_, axis, wrong);
            if (first < 2) continue; // one index that is right is no pattern
            claim(wrong, "pattern:from-index", fmt::format("{} {} {}", truth_.name, axis, first), 0,
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
    bool some_right = false; // and not 0: then the answer is not 0 everywhere
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
        keep_shared(
            Reading(problem, truth, values, previous != nullptr ? previous->find(truth.name) : nullptr).claims());
    }
    if (some_right) std::erase_if(held_, [](const Claim& claim) { return claim.id == "pattern:zero"; });
}

std::optional<Diagnosis> Patterns::result() const {
    for (const Claim& claim : held_)
        if (claim.evidence >= enough_evidence) return Diagnosis{claim.id, claim.sentence};
    return std::nullopt;
}

} // namespace assay
