#include "commands/grade_plan.hpp"

#include "attempt/build.hpp"
#include "commands/find_attempt.hpp"
#include "commands/record_frame.hpp"
#include "commands/run_check.hpp"
#include "report/text.hpp"

#include <vector>

namespace fs = std::filesystem;

namespace assay {

namespace {

Unit unit_of(const Submission& submission, const Seeds& seeds, IdentitiesHere& here) {
    Unit unit{submission.candidate, submission.exercise, submission.source, submission.problem,
              here.of(submission.exercise, submission.source)};
    unit.identity.seed = seeds.of(unit.exercise);
    if (unit.problem.empty()) {
        const Outcome<std::string> hash = source_hash_of(unit.source);
        if (!hash && hash.failure().verdict == Verdict::SKIP) unit.problem = hash.failure().reason;
        unit.identity.source_hash = hash ? *hash : hash.failure().reason;
    } else
        unit.identity.source_hash = unit.problem;
    return unit;
}

} // namespace

const Identity& IdentitiesHere::of(const std::string& exercise, const fs::path& source) {
    const auto key = std::pair(exercise, source.extension().string());
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    Record record = blank_record(exercise, exercise, Verdict::SKIP, "");
    record.environment = environment_for(exercise, source, compiler_);
    return known_.emplace(key, Identity::of(record)).first->second;
}

Plan make_plan(const Submissions& submissions, const Seeds& seeds, const std::string& compiler) {
    Plan plan;
    plan.compiler = compiler;
    plan.hidden_seeds = seeds.hidden;
    IdentitiesHere here(compiler);
    for (const Submission& one : submissions.found) plan.units.push_back(unit_of(one, seeds, here));
    if (!plan.units.empty()) plan.assay = plan.units.front().identity.assay;
    return plan;
}

Record blank_of(const Plan& plan, const Unit& unit, Verdict verdict, const std::string& reason) {
    const std::string source = unit.source.empty() ? unit.exercise + ".cpp" : unit.source.filename().string();
    Record record = blank_record(unit.exercise, printable(source), verdict, reason);
    record.environment = environment_for(unit.exercise, unit.source, plan.compiler);
    record.seed = unit.identity.seed;
    if (unit.problem.empty()) record.source_hash = unit.identity.source_hash;
    return record;
}

void precompile_missing(const Plan& plan, const fs::path& out) {
    std::map<std::string, std::vector<fs::path>> sources;
    for (const Unit& unit : plan.units)
        if (unit.problem.empty() && !result_of(out, unit)) sources[unit.exercise].push_back(unit.source);
    for (const auto& [exercise, files] : sources) precompile_for(exercise, files, plan.compiler);
}

} // namespace assay
