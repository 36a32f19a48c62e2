// The grader killed (SIGKILL) at random moments and started again: in the end the records of an undisturbed run, none
// missing, none double. A sample; the whole under ASSAY_LONG.
#include "catch.hpp"

#include "core/random.hpp"
#include "grade/scratch.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// Right, wrong and broken attempts at the exercise that compiles fastest, each with a text of its own.
void lay_cohort(const Scratch& scratch, int count, std::uint64_t seed) {
    const fs::path bank = fs::path(ASSAY_SOURCE_DIR) / "solutions" / "attention_scaling";
    const std::vector<fs::path> right = sources_in(bank / "accepted"), wrong = sources_in(bank / "rejected" / "WA");
    assay::Random random(seed);
    const auto one_of = [&](const std::vector<fs::path>& files) {
        return text_of(files[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(files.size()) - 1))]);
    };
    for (int i = 0; i < count; ++i) {
        const bool broken = random.chance(0.1);
        const std::string text = broken ? "int x = ;" : random.chance(0.5) ? one_of(right) : one_of(wrong);
        scratch.write(fmt::format("subs/c{:03}/attention_scaling.cpp", i), text + fmt::format("\n// {}\n", i));
    }
}

pid_t start_grader(const Scratch& scratch, const std::string& out, bool resume) {
    const std::string subs = (scratch.path / "subs").native(), to = (scratch.path / out).native();
    const std::string cache = "ASSAY_CACHE_DIR=" + (scratch.path / (out + "-cache")).native();
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::putenv(const_cast<char*>(cache.c_str()));
    std::freopen("/dev/null", "w", stdout);
    std::freopen((scratch.path / "errors").c_str(), "a", stderr);
    ::execl(ASSAY_BIN, ASSAY_BIN, "grade", subs.c_str(), "--out", to.c_str(), "-j", "4", resume ? "--resume" : nullptr,
            nullptr);
    ::_exit(127);
}

int status_of(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Every file below records/, without what is outside byte equality.
std::map<std::string, std::string> records_in(const fs::path& out) {
    std::map<std::string, std::string> records;
    for (const auto& entry : fs::recursive_directory_iterator(out / "records")) {
        if (!entry.is_regular_file()) continue;
        nlohmann::ordered_json record = nlohmann::ordered_json::parse(text_of(entry.path()));
        record.erase("timings");
        records[entry.path().lexically_relative(out).native()] = record.dump();
    }
    return records;
}

} // namespace

TEST_CASE("a grading that is killed again and again ends with the records of an undisturbed one") {
    const bool whole = std::getenv("ASSAY_LONG") != nullptr;
    const int submissions = whole ? 200 : 16, kills = whole ? 100 : 8;
    const Scratch scratch;
    lay_cohort(scratch, submissions, 5);
    REQUIRE(status_of(start_grader(scratch, "undisturbed", false)) == 0);
    const auto wanted = records_in(scratch.path / "undisturbed");
    REQUIRE(wanted.size() == static_cast<std::size_t>(submissions));

    assay::Random random(9);
    bool begun = false;
    for (int i = 0; i < kills; ++i) {
        const pid_t grader = start_grader(scratch, "killed", begun);
        std::this_thread::sleep_for(std::chrono::milliseconds(random.integer(1, whole ? 600 : 400)));
        ::kill(grader, SIGKILL);
        status_of(grader);
        begun = fs::exists(scratch.path / "killed" / "plan.json");
    }
    REQUIRE(status_of(start_grader(scratch, "killed", begun)) == 0);
    INFO(text_of(scratch.path / "errors"));
    CHECK(records_in(scratch.path / "killed") == wanted);
    const auto rows = text_of(scratch.path / "killed" / "summary.jsonl");
    CHECK(std::count(rows.begin(), rows.end(), '\n') == submissions);
    CHECK(rows == text_of(scratch.path / "undisturbed" / "summary.jsonl"));
}
