// An exercise's own attempts (accepted, rejected, solution, starter): what each must get, and what it gets.
#ifndef ASSAY_COMMANDS_BANK_HPP
#define ASSAY_COMMANDS_BANK_HPP

#include "core/exercise.hpp"
#include "core/verdict.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace assay {

/// One attempt of the bank. Where `verdict` is SKIP, any verdict but AC will do (the starter).
struct BankAttempt {
    std::filesystem::path source;
    std::string name; // "rejected/WA/scale-missing.cpp"
    Verdict verdict = Verdict::AC;
    std::vector<std::string> levels; // ids of which one must be the first to fail; empty = any
    std::string mistake;             // the oracle's mistake that must be named; "" = none
};

struct BankResult {
    Verdict verdict = Verdict::SKIP; // of the first failing level, or AC
    std::string level;               // id of it
    std::vector<std::string> named;  // mistakes it was told
    double seconds = 0;
    std::string fault; // one sentence; "" = it got what it should
};

/// The attempts in exercises/<id> and solutions/<id> of `checkout`, in a fixed order: solution, starter, accepted,
/// rejected. Names that fit no rule become `faults`.
std::vector<BankAttempt> bank_of(const Exercise& exercise, const std::filesystem::path& checkout,
                                 std::vector<std::string>& faults);

/// Runs all of them, two at a time; `done` is told of each in order.
void run_bank(const Exercise& exercise, const std::vector<BankAttempt>& bank, const std::string& compiler,
              const std::function<void(const BankAttempt&, const BankResult&)>& done);

} // namespace assay

#endif
