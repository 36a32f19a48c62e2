// Tests a calculator's diagnosis further: every two mistakes made together, and every two that might be taken for each
// other.
#ifndef ASSAY_JUDGE_VERIFY_PAIRS_HPP
#define ASSAY_JUDGE_VERIFY_PAIRS_HPP

#include "core/exercise.hpp"
#include "judge/known_cases.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct PairTest {
    int played = 0;                  // pairs of mistakes (in every form) that some level rejects
    int both = 0;                    // told as just these two
    int hidden = 0;                  // told as one of them: the other does not show beside it, on any case asked
    std::vector<std::string> alike;  // told as something else that answers every case asked alike, a sentence each
    std::vector<std::string> twins;  // "a and b": mistakes that no case parts, by nature, as the exercise declares
    std::vector<std::string> faults; // told nothing, or something else that it is not; mistakes that no case parts
};

/// Nothing is played where the exercise's oracle does not combine mistakes.
PairTest verify_pairs(const Exercise& exercise, std::uint64_t seed);
/// With cases of this exercise that others ask as well.
PairTest verify_pairs(const Exercise& exercise, const KnownCases& known);

} // namespace assay

#endif
