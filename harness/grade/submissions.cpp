#include "grade/submissions.hpp"

#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

constexpr std::string_view extensions[] = {".cpp", ".py", ".cu"};

/// Names in a folder, sorted; a reason where it cannot be read.
std::vector<std::string> names_in(const fs::path& folder, std::string& reason) {
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        names.push_back(at->path().filename().native());
    if (failed) reason = failed.message();
    std::sort(names.begin(), names.end());
    return names;
}

class Finder {
  public:
    Finder(const std::vector<std::string>& exercises, const std::vector<std::string>& expected)
        : exercises_(exercises), expected_(expected) {}

    void look_at(const fs::path& folder, const std::string& candidate) {
        const std::string shown = printable(candidate);
        struct stat status {};
        if (::lstat(folder.c_str(), &status) != 0) return unusable(candidate, "cannot be looked at");
        if (S_ISLNK(status.st_mode)) return unusable(candidate, "is a link: copy the folder itself");
        if (!S_ISDIR(status.st_mode)) {
            found.notes.push_back(fmt::format("{} is no candidate's folder and was left out", shown));
            return;
        }
        std::string reason;
        const std::vector<std::string> names = names_in(folder, reason);
        if (!reason.empty()) return unusable(candidate, fmt::format("cannot be read ({})", reason));
        std::size_t attempts = 0;
        for (const std::string& exercise : exercises_) {
            std::vector<std::string> sources;
            for (const std::string_view extension : extensions)
                if (std::binary_search(names.begin(), names.end(), exercise + std::string(extension)))
                    sources.push_back(exercise + std::string(extension));
            if (sources.empty()) {
                if (std::find(expected_.begin(), expected_.end(), exercise) != expected_.end())
                    found.found.push_back(
                        {candidate, exercise, {}, fmt::format("{} handed in no attempt at {}", shown, exercise)});
                continue;
            }
            ++attempts;
            Submission one{candidate, exercise, folder / sources.front(), ""};
            if (sources.size() > 1)
                one.problem =
                    fmt::format("{} handed in both {} and {}: keep one of them", shown, sources[0], sources[1]);
            found.found.push_back(std::move(one));
        }
        if (attempts == 0 && expected_.empty())
            found.notes.push_back(fmt::format("{} holds no file named after an exercise, as in sdpa.cpp", shown));
    }

    Submissions found;

  private:
    const std::vector<std::string>& exercises_;
    const std::vector<std::string>& expected_;

    void unusable(const std::string& candidate, const std::string& why) {
        const std::string sentence = fmt::format("the folder {} {}", printable(candidate), why);
        if (expected_.empty()) found.notes.push_back(sentence);
        for (const std::string& exercise : expected_) found.found.push_back({candidate, exercise, {}, sentence});
    }
};

} // namespace

Outcome<Submissions> find_submissions(const fs::path& folder, const std::vector<std::string>& exercises,
                                      const std::vector<std::string>& expected) {
    std::string reason;
    const std::vector<std::string> candidates = names_in(folder, reason);
    if (!reason.empty())
        return Failure{Verdict::SKIP,
                       fmt::format("{} cannot be read ({}): name the folder that holds a folder a candidate",
                                   printable(folder.native()), reason)};
    std::vector<std::string> sorted = exercises;
    std::sort(sorted.begin(), sorted.end());
    Finder finder(sorted, expected);
    for (const std::string& candidate : candidates)
        if (candidate[0] != '.') finder.look_at(folder / candidate, candidate);
    if (finder.found.found.empty())
        return Failure{Verdict::SKIP,
                       fmt::format("{} holds no submission: put each attempt at <candidate>/<exercise>.cpp below it",
                                   printable(folder.native()))};
    return std::move(finder.found);
}

} // namespace assay
