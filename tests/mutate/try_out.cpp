#include "try_out.hpp"

#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "commands/build_inputs.hpp"
#include "core/random.hpp"
#include "core/record.hpp"
#include "core/registry.hpp"
#include "judge/check.hpp"
#include "judge/compare.hpp"
#include "judge/print.hpp"
#include "judge/shrink.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::mutate {

namespace {

const Level* level_named(const Exercise& exercise, const std::string& id) {
    const auto found = std::find_if(exercise.levels.begin(), exercise.levels.end(),
                                    [&](const Level& level) { return level.id == id; });
    return found == exercise.levels.end() ? nullptr : &*found;
}

/// What is wrong with the answer to one input, "" where nothing is.
struct Wrong {
    Verdict verdict = Verdict::AC;
    std::string what;
};

Wrong ask(WorkerAttempt& attempt, const Level& level, const Problem& problem, const Truths& truths) {
    const Outcome<Answer> answer = attempt.answer(level, problem);
    if (!answer) return {answer.failure().verdict, answer.failure().reason};
    std::vector<Finding> findings = answer->findings;
    if (findings.empty() && agrees(answer->outputs, truths)) return {};
    for (Finding& finding : compare(answer->outputs, truths)) findings.push_back(std::move(finding));
    const Finding& first = findings.front();
    return {Verdict::WA,
            fmt::format("{} at {}{}: got {:.9g}, expected {:.9g}, off by {:.3g}, bound {:.3g}", name_of(first.kind),
                        first.tensor, to_string(first.where), first.got, first.expected, first.error, first.bound)};
}

/// The smallest problem that is wrong in the same way, for a case that would reject the mutant.
std::vector<std::string> small(const Ground& ground, WorkerAttempt& attempt, const Input& input, const Wrong& wrong) {
    Wrong last = wrong;
    const auto still = [&](const Problem& problem) {
        const std::optional<Truths> truths = ground.exercise.oracle(problem, "", 0);
        if (!truths) return false;
        attempt.fresh();
        const Wrong now = ask(attempt, *input.level, problem, *truths);
        if (now.verdict != wrong.verdict) return false;
        last = now;
        return true;
    };
    CaseSpec start;
    start.case_id = fmt::format("random-{}", input.seed);
    const bool quick = wrong.verdict == Verdict::WA || wrong.verdict == Verdict::RTE;
    const Shrunk shrunk =
        quick ? shrink(start, input.problem, ground.exercise.valid, still, {400, std::chrono::milliseconds(5000)})
              : Shrunk{input.problem, start, 0};
    std::vector<std::string> lines = {
        fmt::format("random input {}, made small: route {}", input.seed, input.problem.route)};
    for (const std::string& line : input_lines(ground.exercise, shrunk.problem)) lines.push_back(line);
    lines.push_back(std::string(code(last.verdict)) + ": " + last.what);
    return lines;
}

void storm(const Ground& ground, WorkerAttempt& attempt, Result& result) {
    std::size_t asked = 0;
    for (const Input& input : ground.storm) {
        if (asked++ % 100 == 0) attempt.fresh(); // now and then with outputs flush against the other guard page
        const Wrong wrong = ask(attempt, *input.level, input.problem, input.truths);
        if (wrong.verdict == Verdict::AC) continue;
        if (wrong.verdict == Verdict::JE) {
            result.verdict = Verdict::JE;
            result.reason = wrong.what;
            return;
        }
        result.survives = true;
        result.input = small(ground, attempt, input, wrong);
        return;
    }
}

} // namespace

Outcome<std::unique_ptr<Ground>> prepare(const std::string& exercise, std::size_t inputs, std::uint64_t seed,
                                         const std::filesystem::path& cache) {
    const Exercise* found = find_exercise(exercise);
    if (found == nullptr) return Failure{Verdict::SKIP, "no such exercise: " + exercise};
    auto ground = std::make_unique<Ground>();
    const Outcome<Settings> settings = settings_of(exercise);
    if (!settings) return settings.failure();
    ground->settings = *settings;
    const Outcome<Exercise> pointed = with_points(*found, *settings);
    if (!pointed) return pointed.failure();
    ground->exercise = *pointed;
    ground->inputs = build_inputs(exercise, *settings);
    ground->options.cache = cache;
    ground->options.time_limit = std::chrono::minutes(5); // an attempt that includes Eigen, on a crowded machine
    const Outcome<Toolchain> toolchain = find_toolchain("", cache);
    if (!toolchain) return toolchain.failure();
    ground->toolchain = *toolchain;

    Random random(seed, "storm");
    for (std::size_t n = 0; n < inputs; ++n) {
        Input input;
        input.seed = random.next();
        input.problem = ground->exercise.random(input.seed);
        if (!ground->exercise.valid(input.problem))
            return Failure{Verdict::JE, fmt::format("random({}) is not a valid problem", input.seed)};
        std::optional<Truths> truths = ground->exercise.oracle(input.problem, "", 0);
        if (!truths) return Failure{Verdict::JE, fmt::format("the oracle has no answer to random({})", input.seed)};
        input.truths = std::move(*truths);
        input.level = level_named(ground->exercise, ground->exercise.level_of(input.problem));
        if (input.level == nullptr) return Failure{Verdict::JE, fmt::format("random({}) has no level", input.seed)};
        ground->storm.push_back(std::move(input));
    }
    return ground;
}

Result try_out(const Ground& ground, const std::filesystem::path& source) {
    Result result;
    const Outcome<Built> built = build(source, ground.inputs, ground.toolchain, ground.options);
    if (!built) {
        result.verdict = built.failure().verdict;
        result.reason = built.failure().reason;
        return result;
    }
    WorkerSetup setup;
    setup.worker = layout().worker(ground.exercise.id);
    setup.library = built->library;
    setup.cpu_seconds = ground.cpu_seconds;
    setup.memory = ground.settings.memory;
    setup.output_bytes = ground.settings.output_bytes;
    setup.threads = ground.settings.threads;
    WorkerAttempt attempt(ground.exercise, setup);
    const Outcome<std::vector<std::string>> missing = attempt.missing_functions();
    if (!missing) {
        result.verdict = missing.failure().verdict;
        result.reason = missing.failure().reason;
        return result;
    }
    std::vector<MissingFunction> lacking;
    for (const std::string& name : *missing) lacking.push_back({name, "it is not there"});
    CheckOptions options;
    options.explain = false;
    options.stop_at_first_failure = true;
    Record record;
    if (const Outcome<Done> done = check(ground.exercise, attempt, options, lacking, record); !done) {
        result.verdict = Verdict::JE;
        result.reason = done.failure().reason;
        return result;
    }
    // A bonus level never decides the verdict, but a mutant that fails one has been found out.
    result.verdict = record.verdict;
    if (const auto first = first_failure(record)) {
        result.verdict = first->level->verdict;
        result.reason = first->level->id + (first->failing == nullptr ? "" : ", case " + first->failing->id);
        return result;
    }
    storm(ground, attempt, result);
    return result;
}

} // namespace assay::mutate
