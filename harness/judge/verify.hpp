// Tests an exercise itself: every mistake rejected where it belongs and named, every case earning its place.
#ifndef ASSAY_JUDGE_VERIFY_HPP
#define ASSAY_JUDGE_VERIFY_HPP

#include "core/exercise.hpp"
#include "core/finding.hpp"
#include "judge/known_cases.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

/// One mistake in one form, played by the oracle.
struct MistakeTrial {
    std::string mistake;
    int form = 0;
    std::string belongs;                // level id
    std::string rejected_at;            // level id, "" where it passed
    std::vector<Diagnosis> named;       // what it was told
    bool named_right = false;           // own id among them (or a declared twin), and nothing but it and its twins
    std::vector<std::string> killed_by; // case ids that reject it, in order
};

struct CaseWorth {
    std::string level, id;
    std::vector<std::string> first_kills; // mistakes (id or id/form) no earlier case kills
    std::string stays;
    bool earns_place = false; // first_kills not empty, or stays given
};

struct SelfTest {
    std::vector<MistakeTrial> mistakes;
    std::vector<CaseWorth> cases;
    std::vector<std::string> faults; // sentences; empty = the exercise is sound
    bool right_oracle_passes = false;
};

/// The part that needs no compiler. A mistake is asked every case of every level, told what `check` would tell it at
/// the first level that rejects it, and must be named there and nothing else with it, twins apart. The work grows with
/// mistakes x forms x cases, each an oracle's answer. Bank attempts (accepted/, rejected/) are run by the command.
SelfTest verify_oracle(const Exercise& exercise, std::uint64_t seed);
/// With cases of this exercise that the bank's attempts are asked as well.
SelfTest verify_oracle(const Exercise& exercise, const KnownCases& known);

} // namespace assay

#endif
