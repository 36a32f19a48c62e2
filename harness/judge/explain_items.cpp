#include "judge/explain_items.hpp"

#include "judge/compare.hpp"
#include "judge/elements.hpp"
#include "judge/factors.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace assay {

namespace {

constexpr std::size_t most_items = 3;
constexpr double least_count = 16; // whole numbers below are 2 or 8 times each other by chance

/// A quantity: a choice among few is right or wrong by chance, and tells nothing.
bool is_item(const Truth& truth) {
    return truth.extents.empty() && truth.dtype != Dtype::boolean && (truth.unit.empty() || truth.unit.front() != '(');
}

const Truth* find_truth(const Truths& truths, const std::string& name) {
    for (const Truth& truth : truths)
        if (truth.name == name) return &truth;
    return nullptr;
}

std::optional<double> got_of(const Evidence& one, const Truth& truth) {
    const Array* array = one.asked.got.find(truth.name);
    if (array == nullptr || array->extents != truth.extents) return std::nullopt;
    return elements_of(*array).front();
}

bool is_wrong(double got, const Truth& truth) {
    return stand(got, truth.value.front(), truth.bound.front()) != Standing::right;
}

std::string with_unit(double value, const Truth& truth) {
    if (is_unset(truth, value)) return "unset";
    if (std::isnan(value)) return "NaN"; // fmt would show its sign
    const bool plain = truth.unit.empty() || truth.unit.front() == '(';
    return fmt::format("{:.6g}{}{}", value, plain ? "" : " ", plain ? "" : truth.unit);
}

/// One number on one failing case.
struct Sight {
    const Evidence* one;
    const Truth* truth;
    double got;
};

/// The names of items that are wrong in a diagnosable case, in order.
std::vector<std::string> wrong_items(std::span<const Evidence> cases) {
    std::vector<std::string> names;
    for (const Evidence& one : cases) {
        if (!is_diagnosable(one.asked)) continue;
        for (const Truth& truth : *one.truth) {
            if (!is_item(truth) || std::find(names.begin(), names.end(), truth.name) != names.end()) continue;
            if (const auto got = got_of(one, truth); got && is_wrong(*got, truth)) names.push_back(truth.name);
        }
    }
    return names;
}

/// The item on every case that was answered: what explains it must be right about the right ones too.
std::vector<Sight> sights_of(std::span<const Evidence> cases, const std::string& name) {
    std::vector<Sight> sights;
    for (const Evidence& one : cases) {
        if (!is_diagnosable(one.asked) && one.asked.verdict != Verdict::AC) continue;
        const Truth* truth = find_truth(*one.truth, name);
        if (truth == nullptr || !is_item(*truth)) continue;
        if (const auto got = got_of(one, *truth)) sights.push_back({&one, truth, *got});
    }
    return sights;
}

/// Whether what `truths` say of the tensors before the item is what came. A count follows from them, and a small number
/// is right by chance: 8 ids for 7 is what many mistakes give, each with other ids.
bool gives_tensors_before(const Sight& sight, const Truths& truths) {
    for (const Truth& truth : truths) {
        if (truth.name == sight.truth->name) break;
        if (truth.extents.empty()) continue;
        const Array* array = sight.one->asked.got.find(truth.name);
        if (array == nullptr || array->extents != truth.extents) return false;
        const std::vector<double> got = elements_of(*array);
        for (std::size_t i = 0; i < got.size(); ++i)
            if (stand(got[i], truth.value[i], truth.bound[i]) != Standing::right) return false;
    }
    return true;
}

/// Whether `candidate` gives the item as it came, everywhere, and somewhere not the right one.
bool gives(const WrongAnswers& wrong_answers, const Candidate& candidate, const std::vector<Sight>& sights) {
    bool shows = false;
    for (const Sight& sight : sights) {
        const std::optional<Truths>& answers = wrong_answers(*sight.one->problem, candidate);
        const Truth* wrong = answers ? find_truth(*answers, sight.truth->name) : nullptr;
        if (wrong == nullptr) continue;
        const double value = wrong->value.front();
        if (is_wrong(sight.got, *wrong)) return false;
        if (sight.truth->dtype == Dtype::i64 && !gives_tensors_before(sight, *answers)) return false;
        const double allowed = std::max(wrong->bound.front(), sight.truth->bound.front());
        shows = shows || (is_wrong(sight.got, *sight.truth) && std::isfinite(value) &&
                          differ(value, sight.truth->value.front(), allowed));
    }
    return shows;
}

/// The factor by which the item is wrong wherever it is wrong.
std::optional<Factor> factor_of(const std::vector<Sight>& sights) {
    std::vector<Factor> shared;
    bool begun = false;
    for (const Sight& sight : sights) {
        const double right = sight.truth->value.front();
        if (!is_wrong(sight.got, *sight.truth)) continue;
        if (right == 0 || !std::isfinite(right) || !std::isfinite(sight.got)) return std::nullopt;
        if (sight.truth->dtype == Dtype::i64 && std::fabs(right) < least_count) return std::nullopt;
        const double within = 1e-9 + 2 * sight.truth->bound.front() / std::fabs(right);
        std::vector<Factor> now = factors_of(*sight.one->problem, sight.got / right, within);
        if (!begun) {
            shared = std::move(now);
            begun = true;
            continue;
        }
        std::erase_if(shared, [&](const Factor& held) {
            return std::none_of(now.begin(), now.end(), [&](const Factor& one) { return one.id == held.id; });
        });
    }
    return shared.empty() ? std::nullopt : std::optional<Factor>(shared.front());
}

const Sight& first_wrong(const std::vector<Sight>& sights) {
    return *std::find_if(sights.begin(), sights.end(),
                         [](const Sight& sight) { return is_wrong(sight.got, *sight.truth); });
}

} // namespace

Diagnosis told_of(const Exercise& exercise, const Candidate& candidate, std::span<const Evidence> cases) {
    const Mistake& mistake = exercise.mistakes[candidate.mistake];
    if (candidate.is_pair()) {
        const Mistake& second = exercise.mistakes[candidate.second];
        return {mistake.id + "+" + second.id,
                fmt::format("your output matches two mistakes at once: {}; and {}", mistake.sentence, second.sentence)};
    }
    const std::vector<std::string> names = wrong_items(cases);
    if (names.empty()) return {mistake.id, "your answer is what you get by " + mistake.sentence};
    const Sight sight = first_wrong(sights_of(cases, names.front()));
    return {mistake.id, fmt::format("your {} is {}, which is what you get by {}", names.front(),
                                    with_unit(sight.got, *sight.truth), mistake.sentence)};
}

std::vector<Diagnosis> explain_items(const Exercise& exercise, std::span<const Evidence> cases,
                                     const WrongAnswers& wrong_answers) {
    Diagnosis all;
    std::vector<std::string> told; // ids of mistakes and factors
    std::size_t items = 0;
    for (const std::string& name : wrong_items(cases)) {
        if (items == most_items) break;
        const std::vector<Sight> sights = sights_of(cases, name);
        std::string ids, sentences;
        bool known = false;
        for (const Candidate& candidate : single_candidates(exercise)) {
            const Mistake& mistake = exercise.mistakes[candidate.mistake];
            if (!gives(wrong_answers, candidate, sights)) continue;
            if (("/" + ids + "/").find("/" + mistake.id + "/") != std::string::npos) continue; // another form of it
            known = known || std::find(told.begin(), told.end(), mistake.id) != told.end();
            ids += (ids.empty() ? "" : "/") + mistake.id;
            sentences += (sentences.empty() ? "which is what you get by " : ", or by ") + mistake.sentence;
            told.push_back(mistake.id);
        }
        if (known) continue; // follows from what was said of an earlier number
        const Sight& sight = first_wrong(sights);
        const std::string value = with_unit(sight.got, *sight.truth);
        std::string sentence = fmt::format("your {} is {}, {}", name, value, sentences);
        if (ids.empty()) {
            const std::optional<Factor> factor = factor_of(sights);
            if (!factor || std::find(told.begin(), told.end(), factor->id) != told.end()) continue;
            told.push_back(factor->id);
            ids = "unit:" + factor->id;
            sentence = fmt::format("your {} is {}, {}", name, value, factor->sentence);
        }
        all.mistake += (items == 0 ? "" : "+") + ids;
        all.sentence += (items == 0 ? "" : "; ") + sentence;
        ++items;
    }
    if (items == 0) return {};
    return {std::move(all)};
}

} // namespace assay
