#include "judge/sampled.hpp"

#include "judge/compare.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>

namespace assay {

namespace {

/// The axis of the field that runs over `dimension`.
std::optional<std::size_t> axis_of(const Field& field, const std::string& dimension) {
    for (std::size_t axis = 0; axis < field.axes.size(); ++axis)
        if (field.axes[axis] == dimension) return axis;
    return std::nullopt;
}

/// How long the dimension is: the longest, since an axis of extent 1 may stand for all.
std::int64_t length_of(const Problem& problem, const std::string& dimension) {
    std::int64_t length = 0;
    for (const Field& field : problem.fields)
        if (const Array* array = std::get_if<Array>(&field.value); array != nullptr)
            if (const auto axis = axis_of(field, dimension); axis) length = std::max(length, array->extents[*axis]);
    return length;
}

std::string sentence(const Finding& finding, const std::string& place) {
    switch (finding.kind) {
    case FindingKind::mutated_input: return fmt::format("a timed call changed its input {}", finding.tensor);
    case FindingKind::unwritten_output: return fmt::format("a timed call left parts of {} unwritten", finding.tensor);
    case FindingKind::out_of_bounds: return fmt::format("in a timed call, {}", finding.note);
    case FindingKind::shape: return fmt::format("a timed call's {} has the wrong shape", finding.tensor);
    default:
        return fmt::format("a timed call's answer is wrong: {}{} is {:g}, expected {:g}", finding.tensor, place,
                           finding.got, finding.expected);
    }
}

std::string place_of(Index where, std::optional<std::size_t> axis, const Index& kept) {
    if (where.empty()) return "";
    if (axis && *axis < where.size() && !kept.empty()) where[*axis] = kept[static_cast<std::size_t>(where[*axis])];
    return fmt::format("[{}]", fmt::join(where, ","));
}

} // namespace

Problem taken(const Problem& problem, const std::string& dimension, const Index& kept) {
    Problem part = problem;
    for (Field& field : part.fields)
        if (Array* array = std::get_if<Array>(&field.value); array != nullptr)
            if (const auto axis = axis_of(field, dimension); axis && array->extents[*axis] > 1)
                *array = array->take(*axis, kept);
    return part;
}

SampledCheck::SampledCheck(const Exercise& exercise, const Bench& bench, std::uint64_t secret)
    : exercise_(exercise), bench_(bench), random_(secret, bench.id) {}

void SampledCheck::begin(const Problem& problem) {
    kept_.clear();
    const std::int64_t length = bench_.rows.empty() ? 0 : length_of(problem, bench_.rows);
    if (length > sampled_rows) {
        while (static_cast<std::int64_t>(kept_.size()) < sampled_rows) {
            const std::int64_t row = random_.integer(0, length - 1);
            if (std::find(kept_.begin(), kept_.end(), row) == kept_.end()) kept_.push_back(row);
        }
        std::sort(kept_.begin(), kept_.end());
        part_ = bench_.part ? bench_.part(problem, kept_) : taken(problem, bench_.rows, kept_);
    } else {
        part_ = problem;
    }
    std::optional<Truths> truths = exercise_.oracle(part_, "", 0);
    if (!truths) throw std::logic_error("the oracle has no answer to bench " + bench_.id);
    truths_ = std::move(*truths);
}

std::string SampledCheck::wrong(const Answer& answer) const {
    if (!answer.findings.empty()) return sentence(answer.findings.front(), "");
    Outputs looked_at;
    for (const auto& [name, array] : answer.outputs.arrays) {
        const Field* field = part_.find(name);
        const auto axis = field != nullptr ? axis_of(*field, bench_.rows) : std::nullopt;
        looked_at.arrays.emplace_back(name, axis && !kept_.empty() ? array.take(*axis, kept_) : array);
    }
    if (const std::vector<Finding> found = compare(looked_at, truths_); !found.empty()) {
        const Finding& finding = found.front();
        const Field* field = part_.find(finding.tensor);
        return sentence(finding,
                        place_of(finding.where, field != nullptr ? axis_of(*field, bench_.rows) : std::nullopt, kept_));
    }
    return "";
}

} // namespace assay
