// An exercise's own attempts (accepted, rejected, solution, starter): what each must get, and what it gets.
#ifndef ASSAY_COMMANDS_BANK_HPP
#define ASSAY_COMMANDS_BANK_HPP

#include "core/exercise.hpp"
#include "core/verdict.hpp"
#include "judge/known_cases.hpp"

#include <filesystem>
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
    std::string only = {};           // id of the one level it answers and is asked; "" = all
    std::string told = {};           // words of the reason that must be given; "" = any
};

struct BankResult {
    Verdict verdict = Verdict::SKIP; // of the first failing level, or AC
    std::string level;               // id of it
    std::string reason;              // of the case that failed first, with the kinds of its findings; or of the whole
    std::vector<std::string> named;  // mistakes it was told
    std::string fault;               // one sentence; "" = it got what it should
};

/// The attempts in exercises/<id> and solutions/<id> of `checkout`, in a fixed order: solution, starter, accepted,
/// rejected. Names that fit no rule become `faults`.
std::vector<BankAttempt> bank_of(const Exercise& exercise, const std::filesystem::path& checkout,
                                 std::vector<std::string>& faults);

/// Takes the attempts in Python out of a bank where no Python can run them, with the reason in `why`; gives how many.
std::size_t leave_out_python(std::vector<BankAttempt>& bank, std::string& why);

/// How early it should start, since it takes long (a library's headers, a limit that must be reached): 0 for most.
int urgency_of(const BankAttempt& attempt);

/// What it is built with after the exercise's own flags. What is wrong is wrong however it is optimised, and optimising
/// it would be a third of verifying; right answers are built as a candidate's are.
std::vector<std::string> more_flags_of(const BankAttempt& attempt);

/// Checks it as a candidate's would be, save that wrong ones are optimised less, nothing is made small and no crash is
/// built again. `known` holds the exercise's cases.
BankResult run_attempt(const Exercise& exercise, const BankAttempt& wanted, const KnownCases& known,
                       const std::string& compiler);

} // namespace assay

#endif
