#include "report/cohort_view.hpp"

#include "report/cohort_table.hpp"
#include "report/speed.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace assay {

namespace {

constexpr std::size_t most_mistakes = 8, most_pairs = 50;

std::string percent(std::size_t part, std::size_t whole) {
    return whole == 0 ? "-" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

double at_quantile(std::vector<int> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

using Group = std::vector<const Record*>;

std::string distribution(const Group& group) {
    std::vector<int> shares; // in percent of the points
    std::size_t bins[10] = {};
    for (const Record* record : group) {
        const int share = record->max_score == 0 ? 0 : 100 * record->score / record->max_score;
        shares.push_back(share);
        ++bins[std::min(share / 10, 9)];
    }
    const std::size_t tallest = *std::max_element(std::begin(bins), std::end(bins));
    std::string text = fmt::format("Points: median {:.0f} %, quartiles {:.0f} % and {:.0f} %.\n\n```\n",
                                   at_quantile(shares, 0.5), at_quantile(shares, 0.25), at_quantile(shares, 0.75));
    for (std::size_t i = 0; i < 10; ++i) {
        const std::size_t bar = tallest == 0 ? 0 : (bins[i] * 40 + tallest - 1) / tallest;
        text += fmt::format("{:>3} to {:>3} %  {:<40}  {}\n", i * 10, i == 9 ? 100 : i * 10 + 9, std::string(bar, '#'),
                            bins[i]);
    }
    return text + "```\n\n";
}

std::string levels(const Group& group) {
    std::string text = "| level | passed | of |\n| --- | ---: | ---: |\n";
    for (std::size_t i = 0; i < group.front()->levels.size(); ++i) {
        const LevelRecord& level = group.front()->levels[i];
        std::size_t passed = 0, tried = 0;
        for (const Record* record : group) {
            if (i >= record->levels.size()) continue;
            passed += record->levels[i].verdict == Verdict::AC ? 1 : 0;
            tried += record->levels[i].verdict != Verdict::SKIP || level.must ? 1 : 0;
        }
        text += fmt::format("| {}. {}{} | {} | {} |\n", level.number, level.title, level.must ? "" : " (bonus)",
                            percent(passed, tried), tried);
    }
    return text + "\n";
}

/// The timed levels, of those that were timed: the figure's middle, and who reached which aim.
std::string timed(const Group& group) {
    std::string text;
    std::vector<std::string> seen;
    for (const Record* with : group)
        for (const SpeedRecord& level : with->speed) {
            if (std::find(seen.begin(), seen.end(), level.id) != seen.end()) continue;
            seen.push_back(level.id);
            std::vector<double> figures;
            std::vector<std::size_t> reached(level.thresholds.size() + 1, 0); // by how many aims
            std::size_t entered = 0;
            for (const Record* record : group)
                for (const SpeedRecord& one : record->speed) {
                    if (one.id != level.id || !one.reason.empty()) continue;
                    ++entered;
                    ++reached[std::min(static_cast<std::size_t>(std::max(one.reached, 0)), level.thresholds.size())];
                    if (const auto figure = speed_figure(one, record->growth)) figures.push_back(*figure);
                }
            std::sort(figures.begin(), figures.end());
            const std::string middle = figures.empty()
                                           ? "-"
                                           : fmt::format(fmt::runtime(level.by_exponent ? "L^{:.2f}" : "{:.3g}x"),
                                                         figures[figures.size() / 2]);
            text += fmt::format("| {} | {} | {} | ", markdown_cell(level.title), entered, middle);
            std::size_t at_least = entered;
            for (std::size_t i = 0; i < level.thresholds.size(); ++i) {
                at_least -= reached[i];
                text += fmt::format("{}{}{:g}: {}", i == 0 ? "" : ", ", level.by_exponent ? "L^" : "",
                                    level.thresholds[i], percent(at_least, entered));
            }
            text += " |\n";
        }
    if (text.empty()) return "";
    return "| timed level | timed | median | aims reached by |\n| --- | ---: | ---: | --- |\n" + text + "\n";
}

std::string mistakes(const Group& group) {
    std::map<std::string, std::pair<std::size_t, std::string>> counts; // by id: how many, and one's sentence
    for (const Record* record : group)
        if (!record->diagnoses.empty()) {
            auto& [count, sentence] = counts[record->diagnoses.front().mistake];
            ++count;
            sentence = record->diagnoses.front().sentence;
        }
    if (counts.empty()) return "";
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (const auto& [id, told] : counts)
        sorted.emplace_back(told.first, fmt::format("`{}`: {}", id, printable(told.second)));
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text = "Most common mistakes, by what was told first:\n\n";
    for (std::size_t i = 0; i < std::min(sorted.size(), most_mistakes); ++i)
        text += fmt::format("- {} x {}\n", sorted[i].first, sorted[i].second);
    return text + "\n";
}

std::string alike(const GradedCohort& cohort) {
    if (cohort.alike.empty()) return "";
    std::string text =
        "## Nearly the same text\n\nNames, numbers and spacing set aside. A hint to look, not a verdict: "
        "short right answers are alike by nature.\n\n| exercise | candidates | shared |\n"
        "| --- | --- | ---: |\n";
    for (std::size_t i = 0; i < std::min(cohort.alike.size(), most_pairs); ++i) {
        const AlikePair& pair = cohort.alike[i];
        text += fmt::format("| {} | {}, {} | {:.0f} % |\n", pair.exercise, markdown_cell(pair.a), markdown_cell(pair.b),
                            100 * pair.share);
    }
    if (cohort.alike.size() > most_pairs) text += fmt::format("\n{} more pairs.\n", cohort.alike.size() - most_pairs);
    return text + "\n";
}

std::string costs(const GradedCohort& cohort) {
    double compile = 0, judge = 0;
    const Graded* longest = nullptr;
    const auto spent = [](const Graded& unit) { return unit.record.times.compile_ms + unit.record.times.judge_ms; };
    for (const Graded& unit : cohort.units) {
        compile += unit.record.times.compile_ms / 1000;
        judge += unit.record.times.judge_ms / 1000;
        if (longest == nullptr || spent(unit) > spent(*longest)) longest = &unit;
    }
    if (longest == nullptr) return "";
    return fmt::format("## Time\n\n{:.0f} s compiling, {:.0f} s judging; the longest was {} / {} with {:.1f} s.\n",
                       compile, judge, markdown_cell(longest->candidate), longest->record.exercise,
                       spent(*longest) / 1000);
}

} // namespace

std::vector<ReportFile> cohort_view_files(const GradedCohort& cohort) {
    std::map<std::string, Group> groups;
    std::map<Verdict, std::size_t> verdicts;
    for (const Graded& unit : cohort.units) {
        groups[unit.record.exercise].push_back(&unit.record);
        ++verdicts[unit.record.verdict];
    }
    std::string text =
        fmt::format("# Cohort\n\n{} from {}.\n\n", counted(static_cast<long long>(cohort.units.size()), "submission"),
                    counted(static_cast<long long>(by_candidate(cohort).size()), "candidate"));
    text += "| verdict | submissions | share |\n| --- | ---: | ---: |\n";
    for (const auto& [verdict, count] : verdicts)
        text += fmt::format("| {} ({}) | {} | {} |\n", code(verdict), meaning(verdict), count,
                            percent(count, cohort.units.size()));
    text += "\n";
    for (const auto& [exercise, group] : groups)
        text +=
            fmt::format("## {}\n\n", exercise) + distribution(group) + levels(group) + timed(group) + mistakes(group);
    return {{"cohort.md", text + alike(cohort) + costs(cohort)}};
}

} // namespace assay
