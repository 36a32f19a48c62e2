// Finds what is to be graded: DIR/<candidate>/<exercise>.cpp (.py).
#ifndef ASSAY_GRADE_SUBMISSIONS_HPP
#define ASSAY_GRADE_SUBMISSIONS_HPP

#include "core/outcome.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One candidate's attempt at one exercise, or why there is none that can be read.
struct Submission {
    std::string candidate; // the folder's name, raw bytes
    std::string exercise;
    std::filesystem::path source;
    std::string problem; // one sentence; "" where it can be tried
};

struct Submissions {
    std::vector<Submission> found;  // by candidate, then exercise, bytewise
    std::vector<std::string> notes; // what was left out, and why
};

/// `exercises` are the ids to look for. A candidate's folder that cannot be read, or is a link, gives one submission
/// with a problem for each of `expected` (ids asked for by name; may be empty: then it is a note). Failure (SKIP):
/// `folder` cannot be read, or holds no submission at all.
Outcome<Submissions> find_submissions(const std::filesystem::path& folder, const std::vector<std::string>& exercises,
                                      const std::vector<std::string>& expected);

} // namespace assay

#endif
