// Runs attempts at the toy exercise, and reads their records.
#ifndef ASSAY_TESTS_RUN_TOY_HPP
#define ASSAY_TESTS_RUN_TOY_HPP

#include "catch.hpp"

#include "judge/check.hpp"
#include "judge/oracle_attempt.hpp"
#include "judge/spec.hpp"
#include "toy.hpp"

#include <limits>

namespace run_toy {

using namespace assay;

inline constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

using Ids = std::vector<std::string>;

inline Record run(Attempt& attempt, const CheckOptions& options = {}, const std::vector<MissingFunction>& missing = {},
                  const Exercise& toy = toy::exercise()) {
    Record record;
    const Outcome<Done> done = check(toy, attempt, options, missing, record);
    if (!done) FAIL(done.failure().reason);
    return record;
}

/// Misbehaves to order on every problem of the toy.
inline Record run_scripted(const toy::Scripted::Behaviour& behaviour, const CheckOptions& options = {}) {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy, behaviour);
    return run(attempt, options);
}

inline std::vector<std::string> verdicts(const Record& record) {
    std::vector<std::string> codes;
    for (const LevelRecord& level : record.levels) codes.emplace_back(code(level.verdict));
    return codes;
}

inline Array& y_of(Answer& answer) { return answer.outputs.arrays[0].second; }

inline std::string usage_error(const CheckOptions& options) {
    const Exercise toy = toy::exercise();
    toy::Scripted attempt(toy);
    Record record;
    const Outcome<Done> done = check(toy, attempt, options, {}, record);
    REQUIRE_FALSE(done);
    CHECK(done.failure().verdict == Verdict::SKIP);
    CHECK(attempt.asked == 0);
    return done.failure().reason;
}

inline CheckOptions only_level(const std::string& level) {
    CheckOptions options;
    options.level = level;
    return options;
}

inline CheckOptions only_case(const std::string& spec) {
    CheckOptions options;
    options.case_spec = spec;
    return options;
}

} // namespace run_toy

#endif
