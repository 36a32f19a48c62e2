// The two calls of a case, and how their findings become one list.
#include "judge/ask.hpp"

#include "judge/compare.hpp"
#include "judge/elements.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <iterator>

namespace assay {

namespace {

/// Elements never written, as bits: those that hold what the named one holds, which is the poison.
std::vector<char> unwritten_elements(const Array& array, const Index& where) {
    std::vector<char> unwritten(static_cast<std::size_t>(array.size()), 0);
    if (where.size() != array.rank()) return unwritten;
    std::size_t position = 0;
    for (std::size_t axis = 0; axis < where.size(); ++axis) {
        if (where[axis] < 0 || where[axis] >= array.extents[axis]) return unwritten;
        position = position * static_cast<std::size_t>(array.extents[axis]) + static_cast<std::size_t>(where[axis]);
    }
    const std::vector<std::uint64_t> bits = array.bits();
    for (std::size_t i = 0; i < bits.size(); ++i) unwritten[i] = bits[i] == bits[position] ? 1 : 0;
    return unwritten;
}

/// The answer with the right values where it was never written, so that those elements are found once.
Outputs with_unwritten_right(const Answer& answer, const Truths& truths) {
    Outputs outputs = answer.outputs;
    for (const Finding& finding : answer.findings) {
        if (finding.kind != FindingKind::unwritten_output) continue;
        for (auto& [name, array] : outputs.arrays)
            for (const Truth& truth : truths) {
                if (name != finding.tensor || truth.name != name || truth.extents != array.extents) continue;
                const std::vector<char> unwritten = unwritten_elements(array, finding.where);
                std::vector<double> values = elements_of(array);
                for (std::size_t i = 0; i < values.size(); ++i)
                    if (unwritten[i] != 0) values[i] = truth.value[i];
                array = Array::of(array.dtype, array.extents, values);
            }
    }
    return outputs;
}

/// One finding an output that the two answers do not share.
std::vector<Finding> differences(const Outputs& first, const Outputs& second, const Truths& truths) {
    std::vector<Finding> findings;
    for (const Truth& truth : truths) {
        const Array* a = first.find(truth.name);
        const Array* b = second.find(truth.name);
        if (a == nullptr || b == nullptr || a->extents != truth.extents || b->extents != truth.extents) continue;
        Truth between = truth; // the first answer as the truth of the second
        between.value = elements_of(*a);
        for (double& bound : between.bound) bound *= 2;
        std::vector<Finding> found = compare(second, {between});
        if (found.empty()) continue;
        found.front().kind = FindingKind::not_deterministic;
        findings.push_back(std::move(found.front()));
    }
    return findings;
}

/// What is wrong with the repeat of a right answer: its values count as changed ones.
std::vector<Finding> wrong_repeats(const Outputs& first, const Outputs& second, const Truths& truths) {
    std::vector<Finding> findings;
    for (Finding& finding : compare(second, truths)) {
        if (finding.kind != FindingKind::shape) {
            if (find_finding(findings, FindingKind::not_deterministic, finding.tensor) != nullptr) continue;
            finding.kind = FindingKind::not_deterministic;
            finding.expected = first.find(finding.tensor)->at(finding.where);
            finding.error = std::fabs(finding.got - finding.expected);
        }
        findings.push_back(std::move(finding));
    }
    return findings;
}

/// Items stay in the contract's order, since the first wrong one is where the mistake was made.
int rank_of(const Finding& finding) {
    switch (finding.kind) {
    case FindingKind::shape: return 0;
    case FindingKind::not_deterministic: return 1;
    case FindingKind::out_of_bounds: return 2;
    case FindingKind::unwritten_output: return is_item(finding) ? 6 : 3;
    case FindingKind::nan: return is_item(finding) ? 6 : 4;
    case FindingKind::inf: return is_item(finding) ? 6 : 5;
    case FindingKind::value: return 6;
    case FindingKind::mutated_input: return 7;
    }
    return 8;
}

Outputs plain_answer(const Exercise& exercise, const Problem& problem) {
    if (!exercise.plain) return {};
    try {
        return exercise.plain(problem);
    } catch (const std::exception&) {
        return {}; // a figure in the report is missing, and the verdict stands
    }
}

Asked ended(const Failure& failure, const char* on) {
    Asked asked;
    asked.verdict = failure.verdict;
    asked.reason = failure.reason + on;
    return asked;
}

Outcome<Answer> answer_of(Attempt& attempt, const Level& level, const Problem& problem) {
    try {
        return attempt.answer(level, problem);
    } catch (const std::exception& error) {
        return Failure{Verdict::JE, fmt::format("asking level {} threw: {}", level.id, error.what())};
    }
}

} // namespace

Outcome<Truths> truth_of(const Exercise& exercise, const Problem& problem) {
    try {
        std::optional<Truths> truths = exercise.oracle(problem, "", 0);
        if (truths) return std::move(*truths);
        return Failure{Verdict::JE,
                       fmt::format("the oracle of {} has no right answer to route '{}'", exercise.id, problem.route)};
    } catch (const std::exception& error) {
        return Failure{Verdict::JE, fmt::format("the oracle of {} threw: {}", exercise.id, error.what())};
    }
}

Outcome<Problem> problem_of(const Case& one, std::uint64_t seed) {
    try {
        return one.make(seed);
    } catch (const std::exception& error) {
        return Failure{Verdict::JE, fmt::format("making case {} threw: {}", one.id, error.what())};
    }
}

const Finding* find_finding(const std::vector<Finding>& findings, FindingKind kind, const std::string& tensor) {
    for (const Finding& finding : findings)
        if (finding.kind == kind && finding.tensor == tensor) return &finding;
    return nullptr;
}

bool is_diagnosable(const Asked& asked) {
    bool by_value = false;
    for (const Finding& finding : asked.findings) {
        if (finding.kind == FindingKind::not_deterministic || finding.kind == FindingKind::shape) return false;
        by_value = by_value || finding.kind == FindingKind::value || finding.kind == FindingKind::nan ||
                   finding.kind == FindingKind::inf;
    }
    return by_value;
}

Asked ask(const Exercise& exercise, const Level& level, Attempt& attempt, const Problem& problem, const Truths& truths,
          int further_calls) {
    Outcome<Answer> first = answer_of(attempt, level, problem);
    if (!first) return ended(first.failure(), "");
    Outcome<Answer> second = answer_of(attempt, level, problem);
    if (!second) return ended(second.failure(), " (asked the same once more, after a first answer)");

    Asked asked;
    asked.got = first->outputs;
    if (first->findings.empty() && second->findings.empty() && agrees(first->outputs, truths) &&
        agrees(second->outputs, truths)) {
        asked.verdict = Verdict::AC;
        return asked;
    }
    asked.verdict = Verdict::WA;
    const Outputs written = with_unwritten_right(*first, truths), repeated = with_unwritten_right(*second, truths);
    const bool first_right = agrees(written, truths), second_right = agrees(repeated, truths);
    if (!first_right) {
        const Outputs plain = plain_answer(exercise, problem);
        asked.findings = compare(written, truths, &plain);
    }
    std::vector<Finding> changed = first_right && !second_right ? wrong_repeats(written, repeated, truths)
                                                                : differences(written, repeated, truths);
    // Two answers that agree may do so by chance (dropout leaves most elements alone): a wrong one is asked for again,
    // unless it is long in coming.
    if (elements_of_inputs(problem) > 4096) further_calls = 0;
    for (int call = 0; call < further_calls && changed.empty(); ++call) {
        const Outcome<Answer> again = answer_of(attempt, level, problem);
        if (!again) break;
        changed = differences(written, with_unwritten_right(*again, truths), truths);
    }
    std::move(changed.begin(), changed.end(), std::back_inserter(asked.findings));
    for (const std::vector<Finding>& seen : {first->findings, second->findings})
        for (const Finding& finding : seen)
            if (find_finding(asked.findings, finding.kind, finding.tensor) == nullptr)
                asked.findings.push_back(finding);
    std::stable_sort(asked.findings.begin(), asked.findings.end(),
                     [](const Finding& a, const Finding& b) { return rank_of(a) < rank_of(b); });
    if (asked.findings.empty()) asked.verdict = Verdict::AC;
    return asked;
}

} // namespace assay
