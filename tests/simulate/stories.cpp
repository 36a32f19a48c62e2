// Every run of `batching` as its log, then every mistake of the exercises named on the command line, judged in this
// process and printed as a record: what two builds of Assay by different compilers must print alike (clang.sh beside).
//
//     stories batching broadcast
#include "oracle.hpp"
#include "oracle_batcher.hpp"

#include "core/record.hpp"
#include "core/registry.hpp"
#include "judge/check.hpp"
#include "judge/known_cases.hpp"
#include "judge/oracle_attempt.hpp"
#include "report/json.hpp"

#include <chrono>
#include <cstdio>
#include <string>

using namespace assay;

namespace {

void print_runs_of_batching() {
    using namespace assay::batching_judge;
    for (const Level& level : find_exercise("batching")->levels)
        for (const Case& one : level.cases) {
            const Problem problem = one.make(0);
            if (!is_run(problem)) continue;
            const Workload work = workload_of(problem);
            Reference reference(work.settings, work.resilient, {});
            World world(work, reference);
            world.run();
            std::printf("%s\n", one.id.c_str());
            for (const Entry& entry : world.log)
                std::printf("%lld %d %lld %lld\n", static_cast<long long>(entry.at), static_cast<int>(entry.kind),
                            static_cast<long long>(entry.request), static_cast<long long>(entry.extra));
        }
}

} // namespace

int main(int count, char** arguments) {
    print_runs_of_batching();
    for (int i = 1; i < count; ++i) {
        const Exercise* exercise = find_exercise(arguments[i]);
        if (exercise == nullptr) {
            std::fprintf(stderr, "stories: there is no exercise %s\n", arguments[i]);
            return 2;
        }
        const KnownCases known(*exercise, 0);
        for (const Mistake& mistake : exercise->mistakes)
            for (int form = 0; form < mistake.forms(); ++form) {
                OracleAttempt attempt(*exercise, mistake.id, form);
                CheckOptions options;
                options.stop_at_first_failure = true;
                options.known = &known;
                options.shrinking.time = std::chrono::hours(1); // its bound is work, on however slow a machine
                Record record;
                record.exercise = exercise->id;
                if (!check(*exercise, attempt, options, {}, record)) return 4;
                std::printf("%s, form %d\n%s\n", mistake.id.c_str(), form, to_json(record).c_str());
            }
    }
    return 0;
}
