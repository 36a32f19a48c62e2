// Compares answers with truths. `agrees` is the fast path: every case takes it twice.
#include "judge/compare.hpp"

#include "judge/elements.hpp"
#include "judge/place.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <bit>
#include <cstdint>
#include <limits>

namespace assay {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The named output where it has the truth's extents, else null.
const Array* fitting(const Outputs& got, const Truth& truth) {
    const Array* array = got.find(truth.name);
    return array != nullptr && array->extents == truth.extents ? array : nullptr;
}

Index index_of(const Index& extents, std::size_t position) {
    Index index(extents.size(), 0);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
        const auto extent = static_cast<std::size_t>(extents[axis]);
        index[axis] = static_cast<std::int64_t>(position % extent);
        position /= extent;
    }
    return index;
}

double ratio(double error, double bound) {
    if (error == 0) return 0;
    return bound > 0 && error < infinity ? error / bound : infinity;
}

double distance(double got, double truth) {
    const double error = std::fabs(got - truth);
    if (std::isnan(error)) return infinity;
    return error;
}

/// An item that right answers leave as it was: a choice then holds its -1.
bool stays_unset(const Truth& truth) {
    const double right = truth.value.front();
    if (!truth.unit.empty() && truth.unit.front() == '(') return right == -1;
    return truth.dtype == Dtype::i64 ? right == static_cast<double>(unset_integer) : std::isnan(right);
}

/// Where the contract wants a whole result left unset, which is its answer to invalid input.
bool is_invalid_input(const Truths& truths) {
    bool some = false;
    for (const Truth& truth : truths) {
        if (!truth.extents.empty()) continue;
        some = true;
        if (!stays_unset(truth)) return false;
    }
    return some;
}

FindingKind kind_of(Standing standing) {
    return standing == Standing::nan   ? FindingKind::nan
           : standing == Standing::inf ? FindingKind::inf
                                       : FindingKind::value;
}

Finding shape_finding(const Outputs& got, const Truth& truth) {
    Finding finding;
    finding.kind = FindingKind::shape;
    finding.tensor = truth.name;
    finding.total = finding.wrong = static_cast<std::int64_t>(truth.value.size());
    const Array* array = got.find(truth.name);
    finding.note = array == nullptr
                       ? truth.name + " is missing from the answer"
                       : truth.name + " has extents " + to_string(array->extents) + ", not " + to_string(truth.extents);
    return finding;
}

enum class Wanted { all, kinds };

void compare_one(const Array& array, const Truth& truth, const Outputs* plain, Wanted wanted,
                 std::vector<Finding>& findings) {
    const std::vector<double> got = elements_of(array);
    std::vector<Standing> standing(got.size());
    bool wrong = false;
    for (std::size_t i = 0; i < got.size(); ++i) {
        standing[i] = stand(got[i], truth.value[i], truth.bound[i]);
        wrong = wrong || standing[i] != Standing::right;
    }
    if (!wrong) return;
    const Array* plain_array = plain != nullptr ? fitting(*plain, truth) : nullptr;
    bool drawn = false;
    for (const Standing kind : {Standing::nan, Standing::inf, Standing::value}) {
        std::int64_t count = 0;
        std::size_t worst = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (standing[i] != kind) continue;
            ++count;
            if (count == 1) worst = i;
            if (kind != Standing::value) continue;
            const double error = distance(got[i], truth.value[i]), most = distance(got[worst], truth.value[worst]);
            const double own = ratio(error, truth.bound[i]), best = ratio(most, truth.bound[worst]);
            if (own > best || (own == best && error > most)) worst = i;
        }
        if (count == 0) continue;
        Finding finding;
        finding.kind = is_unset(truth, got[worst]) ? FindingKind::unwritten_output : kind_of(kind);
        finding.tensor = truth.name;
        finding.unit = truth.unit;
        finding.where = index_of(truth.extents, worst);
        finding.got = got[worst];
        finding.expected = truth.value[worst];
        finding.error = distance(got[worst], truth.value[worst]);
        finding.bound = truth.bound[worst];
        if (plain_array != nullptr) {
            const double error = std::fabs(plain_array->at(finding.where) - truth.value[worst]);
            if (error >= 0) finding.plain_error = error; // NaN: not known
        }
        finding.wrong = count;
        finding.total = static_cast<std::int64_t>(got.size());
        const bool shown = wanted == Wanted::all && !truth.extents.empty();
        if (shown) finding.place = place_of(truth.name, truth.extents, standing, kind);
        if (shown && !drawn) finding.map = map_of(truth.extents, standing); // one picture shows all kinds
        drawn = true;
        findings.push_back(std::move(finding));
    }
}

std::vector<Finding> compare_all(const Outputs& got, const Truths& truths, const Outputs* plain, Wanted wanted) {
    std::vector<Finding> findings;
    for (const Truth& truth : truths) {
        const Array* array = fitting(got, truth);
        if (array == nullptr)
            findings.push_back(shape_finding(got, truth));
        else
            compare_one(*array, truth, plain, wanted, findings);
    }
    return findings;
}

} // namespace

bool is_unset(const Truth& truth, double got) {
    if (truth.dtype == Dtype::i64) return got == static_cast<double>(unset_integer);
    return truth.dtype == Dtype::f64 && std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(unset);
}

std::vector<Finding> compare(const Outputs& got, const Truths& truths, const Outputs* plain) {
    std::vector<Finding> findings = compare_all(got, truths, plain, Wanted::all);
    if (!findings.empty() && findings.front().note.empty() && is_invalid_input(truths))
        findings.front().note = "The input is invalid: every item is to stay unset.";
    return findings;
}

std::vector<Finding> find_wrong(const Outputs& got, const Truths& truths) {
    return compare_all(got, truths, nullptr, Wanted::kinds);
}

bool agrees(const Outputs& got, const Truths& truths) {
    for (const Truth& truth : truths) {
        const Array* array = fitting(got, truth);
        if (array == nullptr) return false;
        std::size_t i = 0;
        const auto right = [&](double value) {
            const bool stands = stand(value, truth.value[i], truth.bound[i]) == Standing::right;
            ++i;
            return stands;
        };
        if (!while_elements(*array, right)) return false;
    }
    return true;
}

bool agrees_when_stored(const Truths& answer, const Truths& truths) {
    for (std::size_t k = 0; k < truths.size(); ++k) {
        const Truth& truth = truths[k];
        const auto named = [&](const Truth& one) { return one.name == truth.name; };
        const auto found = k < answer.size() && named(answer[k]) ? answer.begin() + static_cast<std::ptrdiff_t>(k)
                                                                 : std::find_if(answer.begin(), answer.end(), named);
        if (found == answer.end() || found->extents != truth.extents) return false;
        for (std::size_t i = 0; i < truth.value.size(); ++i)
            if (stand(as_stored(found->dtype, found->value[i]), truth.value[i], truth.bound[i]) != Standing::right)
                return false;
    }
    return true;
}

double worst_ratio(const Outputs& got, const Truths& truths) {
    double worst = 0;
    for (const Truth& truth : truths) {
        const Array* array = fitting(got, truth);
        if (array == nullptr) return infinity;
        const std::vector<double> values = elements_of(*array);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool finite = std::isfinite(values[i]) && std::isfinite(truth.value[i]);
            if (finite)
                worst = std::max(worst, ratio(std::fabs(values[i] - truth.value[i]), truth.bound[i]));
            else if (stand(values[i], truth.value[i], truth.bound[i]) != Standing::right)
                return infinity;
        }
    }
    return worst;
}

} // namespace assay
