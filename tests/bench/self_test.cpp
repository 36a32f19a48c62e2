// What it takes to test exercises as exercises, in process: every mistake through every case, and every two of a
// calculator together, without the bank's attempts. A benchmark, never a test.
//
//   self-test [EXERCISE ...]     all of them unless named
//
// A line an exercise: seconds of processor time for the mistakes and for the pairs, and a digest of all that they were
// told, which must not change when the judge becomes faster.
#include "core/fnv.hpp"
#include "core/registry.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"

#include <cstdint>
#include <ctime>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace {

using namespace assay;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string told(const SelfTest& test) {
    std::string text;
    for (const MistakeTrial& trial : test.mistakes) {
        text += fmt::format("{}/{} {} {} {}\n", trial.mistake, trial.form, trial.rejected_at, trial.named_right,
                            fmt::join(trial.killed_by, ","));
        for (const Diagnosis& one : trial.named) text += one.mistake + ": " + one.sentence + "\n";
    }
    for (const CaseWorth& worth : test.cases)
        text += fmt::format("{} {}\n", worth.id, fmt::join(worth.first_kills, ","));
    return text + fmt::format("{}", fmt::join(test.faults, "\n"));
}

std::string told(const PairTest& test) {
    return fmt::format("{} {} {}\n{}\n{}\n{}\n", test.played, test.both, test.hidden, fmt::join(test.alike, "\n"),
                       fmt::join(test.twins, "\n"), fmt::join(test.faults, "\n"));
}

} // namespace

int main(int count, char** arguments) {
    std::vector<std::string> ids(arguments + 1, arguments + count);
    if (ids.empty())
        for (const std::string_view id : exercise_ids()) ids.emplace_back(id);
    double all = 0;
    for (const std::string& id : ids) {
        const Exercise* exercise = find_exercise(id);
        if (exercise == nullptr) {
            fmt::print(stderr, "self-test: no such exercise: {} (assay list shows them)\n", id);
            return 2;
        }
        const KnownCases known(*exercise, 0);
        const double begun = processor_seconds();
        const std::string mistakes = told(verify_oracle(*exercise, known));
        const double between = processor_seconds();
        const std::string pairs = told(verify_pairs(*exercise, known));
        const double ended = processor_seconds();
        all += ended - begun;
        fmt::print("{:<18} mistakes {:7.2f} s  pairs {:7.2f} s  told {:016x} {:016x}\n", id, between - begun,
                   ended - between, fnv1a(mistakes), fnv1a(pairs));
        std::fflush(stdout);
    }
    fmt::print("{:<18} {:.2f} s of processor time\n", "together", all);
}
