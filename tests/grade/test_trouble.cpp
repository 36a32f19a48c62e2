// What goes wrong around a grading: a full disk, an output folder that may only be read, thousands of files in one
// submission, names nobody would choose. Each ends in a clear sentence, and what can be graded is graded.
#include "catch.hpp"

#include "cli/assay.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

using assay::tests::contains;
using assay::tests::Place;

namespace fs = std::filesystem;

namespace {

const std::string right = assay::tests::checkout_file("solutions/attention_scaling/solution.cpp");
const std::string wrong = assay::tests::checkout_file("exercises/attention_scaling/starter.cpp");

/// Whether this test may mount: only root may, and not in every container.
bool may_mount() { return std::system("unshare --mount sh -c 'mount -t tmpfs none /mnt' > /dev/null 2>&1") == 0; }

struct Trial {
    Place place; // the submissions lie in subs/
    int exit = -1;

    void lay(int count) const {
        for (int i = 0; i < count; ++i)
            place.write(fmt::format("subs/c{:02}/attention_scaling.cpp", i),
                        (i % 2 == 0 ? right : wrong) + fmt::format("\n// {}\n", i));
    }

    /// `grade` as a script writes it, its words to the file `said`.
    std::string grade(const std::string& out, const std::string& said, const std::string& more = "") const {
        return fmt::format("({} grade subs --out {} -j 2 {}) > {} 2>&1", place.program(), out, more, said);
    }

    /// In a name space of its own for mounts.
    void run(const std::string& script) {
        place.write("script", "cd '" + place.work().native() + "'\n" + script);
        const int status = std::system(("unshare --mount sh '" + (place.work() / "script").native() + "'").c_str());
        exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    /// The verdict of each record by candidate, from the summary.
    std::map<std::string, std::string> verdicts() const {
        std::map<std::string, std::string> all;
        std::istringstream lines(place.read("out/summary.jsonl"));
        for (std::string line; std::getline(lines, line);) {
            const nlohmann::json row = nlohmann::json::parse(line);
            all[row.at("candidate")] = row.at("verdict");
        }
        return all;
    }
};

} // namespace

TEST_CASE("a disk that is full while it grades: said in one sentence, and resumed once there is room") {
    if (!may_mount()) {
        WARN("not tried: only root may mount a small disk");
        return;
    }
    Trial trial;
    trial.lay(12);
    // Room for the plan and the ledger's start, not for twelve records.
    trial.run(fmt::format("mkdir disk\nmount -t tmpfs -o size=160k none disk\n{}\necho $? > first\n"
                          "mount -o remount,size=64m disk\n{}\necho $? > second\ncp -r disk/out out\n",
                          trial.grade("disk/out", "said-full"), trial.grade("disk/out", "said-room", "--resume")));
    const std::string said = trial.place.read("said-full");
    INFO(said << trial.place.read("said-room"));
    CHECK(trial.place.read("first") == "3\n"); // the environment's fault, not the candidates' and not ours
    CHECK(contains(said, "No space left on device"));
    CHECK_FALSE(contains(said, "terminate"));
    CHECK(trial.place.read("second") == "0\n");
    const auto verdicts = trial.verdicts();
    REQUIRE(verdicts.size() == 12);
    CHECK(verdicts.at("c00") == "AC");
    CHECK(verdicts.at("c01") == "WA");
    for (const auto& entry : fs::recursive_directory_iterator(trial.place.work() / "out" / "records"))
        if (entry.is_regular_file()) CHECK_NOTHROW(nlohmann::json::parse(Place::read_whole(entry.path())));
}

TEST_CASE("an output folder that may only be read is told before anything is graded") {
    if (!may_mount()) {
        WARN("not tried: only root may mount a disk that may only be read");
        return;
    }
    Trial trial;
    trial.lay(2);
    trial.run(
        fmt::format("mkdir disk\nmount -t tmpfs -o ro none disk\n{}\nexit $?\n", trial.grade("disk/out", "said")));
    const std::string said = trial.place.read("said");
    INFO(said);
    CHECK(trial.exit == 3);
    CHECK(contains(said, "Read-only file system"));
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
}

TEST_CASE("five thousand files in one submission, and names nobody would choose: the others are graded") {
    const Trial trial;
    trial.lay(2);
    std::string all;
    for (int i = 0; i < 5000; ++i) all += fmt::format("#include \"h{}.hpp\"\n", i);
    trial.place.write("subs/many/attention_scaling.cpp", right); // includes none of them
    trial.place.write("subs/includes/attention_scaling.cpp", all + right);
    for (const char* candidate : {"many", "includes"})
        for (int i = 0; i < 5000; ++i)
            std::ofstream(trial.place.work() / "subs" / candidate / fmt::format("h{}.hpp", i)) << "#pragma once\n";
    trial.place.write("subs/new\nline \x1b[31m\"'&<>/attention_scaling.cpp", right);
    trial.place.write("subs/" + std::string(255, 'x') + "/attention_scaling.cpp", right);
    trial.place.write("subs/-rf/attention_scaling.cpp", right);
    fs::create_directories(trial.place.work() / "subs/folder/attention_scaling.cpp");
    fs::create_symlink("/etc/shadow", trial.place.work() / "subs/c00/sdpa.cpp");
    const assay::tests::Ran ran = trial.place.run("grade subs --out out -j 2");
    INFO(ran.out << ran.err);
    CHECK(ran.exit == 0);
    const auto verdicts = trial.verdicts();
    std::map<std::string, int> times;
    for (const auto& [candidate, verdict] : verdicts) ++times[verdict];
    CHECK(verdicts.at("many") == "AC");
    CHECK(verdicts.at("includes") == "SKIP");
    CHECK(verdicts.at("-rf") == "AC");
    CHECK(verdicts.at("c01") == "WA");
    CHECK(verdicts.at("folder") == "SKIP");
    CHECK_FALSE(contains(ran.out + ran.err, "\x1b[31m"));
    CHECK(times["AC"] >= 4);
}
