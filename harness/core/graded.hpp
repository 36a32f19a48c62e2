// One unit of a grading with its result, as reports take it.
#ifndef ASSAY_CORE_GRADED_HPP
#define ASSAY_CORE_GRADED_HPP

#include "core/record.hpp"

#include <string>
#include <vector>

namespace assay {

struct Graded {
    std::string candidate; // safe to print: no control characters, UTF-8
    Record record;
};

/// Two submissions at one exercise whose texts are nearly the same, names and spacing set aside.
struct AlikePair {
    std::string exercise, a, b; // candidates, safe to print
    double share = 0;           // of the shorter one that the other has too
};

/// By candidate, then exercise. What has no record is not in it: `missing` says how many.
struct GradedCohort {
    std::vector<Graded> units;
    std::size_t missing = 0;
    std::vector<AlikePair> alike; // most alike first
    bool hidden_seeds = false; // seeds, and all that would give inputs away, stay out of what candidates see
};

} // namespace assay

#endif
