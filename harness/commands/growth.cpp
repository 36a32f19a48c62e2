#include "commands/growth.hpp"

#include "core/monotonic.hpp"
#include "judge/sampled.hpp"
#include "timing/growth.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr std::int64_t noise_per_thread = std::int64_t{256} << 10; // attempt/peak_memory.hpp
constexpr double longest_peak = 0.4; // seconds: longer problems than the first whose two calls take as long are left

Verdict verdict_of(const Record& record, const std::string& level) {
    for (const LevelRecord& one : record.levels)
        if (one.id == level) return one.verdict;
    return Verdict::SKIP;
}

GrowthRecord blank(const Growth& growth) {
    return {growth.id, growth.dimension, growth.beside, growth.matrix, growth.otherwise, {}, {}, {}};
}

std::optional<GrowthRecord::Exponent> entered(const std::optional<timing::Exponent>& exponent) {
    if (!exponent) return std::nullopt;
    return GrowthRecord::Exponent{exponent->value, exponent->low, exponent->high, exponent->coverage};
}

GrowthRecord::Length& length_in(GrowthRecord& record, const Growth& growth, std::int64_t length) {
    for (GrowthRecord::Length& one : record.lengths)
        if (one.length == length) return one;
    record.lengths.push_back({length, std::nullopt, growth.matrix_bytes(length), std::nullopt});
    return record.lengths.back();
}

void measure_memory(const Exercise& exercise, const Growth& growth, const WorkerSetup& setup, std::size_t most,
                    GrowthRecord& record) {
    WorkerAttempt attempt(exercise, setup);
    std::vector<timing::MemoryAt> peaks;
    record.memory.emplace();
    for (std::size_t i = 0; i < std::min(most, growth.lengths.size()); ++i) {
        const Problem problem = growth.make(growth.lengths[i], 0);
        const Level* level = level_that_asks(exercise, problem);
        if (level == nullptr) return;
        const double start = monotonic();
        const Outcome<std::int64_t> peak = attempt.peak_bytes(*level, problem);
        if (!peak && peaks.size() < 3) record.memory->reason = peak.failure().reason;
        if (!peak) break; // out of time or memory: the shorter ones tell
        length_in(record, growth, growth.lengths[i]).peak = *peak;
        peaks.push_back({growth.lengths[i], *peak, growth.matrix_bytes(growth.lengths[i])});
        if (monotonic() - start > longest_peak && peaks.size() >= 4) break;
    }
    const timing::MemoryGrowth measured = timing::memory_growth(peaks, setup.threads * noise_per_thread);
    record.memory->exponent = entered(measured.exponent);
    record.memory->beyond = measured.beyond;
}

void measure_time(const Exercise& exercise, const Growth& growth, const WorkerSetup& setup,
                  const timing::GrowthRules& rules, GrowthRecord& record) {
    const std::uint64_t secret = drawn_secret();
    const Level* level = level_that_asks(exercise, growth.make(growth.lengths.front(), secret));
    if (level == nullptr) return;
    WorkerContestant contestant(exercise, *level, setup);
    Bench bench; // all of each answer is checked: the oracle takes as long as a linear attempt
    bench.id = growth.id;
    SampledCheck check(exercise, bench, secret);
    timing::GrowthCourse course;
    course.lengths = growth.lengths;
    course.make = [&](std::int64_t length, int round) {
        Problem problem = growth.make(length, secret + static_cast<std::uint64_t>(round + 2));
        check.begin(problem);
        return problem;
    };
    course.wrong = [&](const Problem&, const Answer& answer) { return check.wrong(answer); };
    course.now = monotonic;
    const timing::TimeGrowth measured = timing::time_growth(contestant, course, rules);
    for (const timing::TimeAt& one : measured.times) length_in(record, growth, one.length).seconds = one.seconds;
    record.time = GrowthRecord::Measured{entered(measured.exponent), false, measured.refused};
    record.time->beyond = measured.exponent && measured.exponent->low > 1.5;
}

} // namespace

void enter_memory_growth(const Exercise& exercise, const WorkerSetup& setup, Record& record) {
    for (const Growth& growth : exercise.growths) {
        const Level* level = level_that_asks(exercise, growth.make(growth.lengths.front(), 0));
        const Verdict verdict = level == nullptr ? Verdict::SKIP : verdict_of(record, level->id);
        const bool out_of_it = verdict == Verdict::TLE || verdict == Verdict::MLE;
        if (!out_of_it && (verdict != Verdict::AC || record.verdict != Verdict::AC)) continue;
        GrowthRecord entry = blank(growth);
        measure_memory(exercise, growth, setup, out_of_it ? growth.lengths.size() : growth.at_once, entry);
        if (growth.timed && verdict == Verdict::TLE)
            measure_time(exercise, growth, setup, {0.5, 1, 3, 0.05, 0.5}, entry);
        record.growth.push_back(std::move(entry));
    }
}

void enter_growth(const Exercise& exercise, const Program& program, double seconds, Record& record) {
    record.growth.clear();
    for (const Growth& growth : exercise.growths) {
        GrowthRecord entry = blank(growth);
        measure_memory(exercise, growth, program.setup, growth.lengths.size(), entry);
        timing::GrowthRules rules;
        rules.seconds = seconds;
        if (growth.timed) measure_time(exercise, growth, program.setup, rules, entry);
        record.growth.push_back(std::move(entry));
    }
}

int exponents_reached(const SpeedLevel& level, const std::vector<GrowthRecord>& growth) {
    double worst = 0;
    for (const std::string& id : level.growths) {
        const auto found =
            std::find_if(growth.begin(), growth.end(), [&](const GrowthRecord& one) { return one.id == id; });
        if (found == growth.end() || !found->time || !found->time->exponent) return 0;
        worst = std::max(worst, found->time->exponent->low);
    }
    return static_cast<int>(std::count_if(level.thresholds.begin(), level.thresholds.end(),
                                          [&](double threshold) { return worst <= threshold; }));
}

} // namespace assay
