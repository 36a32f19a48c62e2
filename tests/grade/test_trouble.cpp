// What goes wrong around a grading: a full disk, an output folder that may only be read, thousands of files in one
// submission, names nobody would choose. Each ends in a clear sentence, and what can be graded is graded.
#include "catch.hpp"

#include "cli/assay.hpp"
#include "grade/scratch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

using assay::tests::contains;

namespace fs = std::filesystem;

namespace {

const std::string right = assay::tests::checkout_file("solutions/attention_scaling/solution.cpp");
const std::string wrong = assay::tests::checkout_file("exercises/attention_scaling/starter.cpp");

/// Whether this test may mount: only root may, and not in every container.
bool may_mount() { return std::system("unshare --mount sh -c 'mount -t tmpfs none /mnt' > /dev/null 2>&1") == 0; }

struct Trial {
    Scratch scratch;
    int exit = -1;

    void lay(int count) const {
        for (int i = 0; i < count; ++i)
            scratch.write(fmt::format("subs/c{:02}/attention_scaling.cpp", i),
                          (i % 2 == 0 ? right : wrong) + fmt::format("\n// {}\n", i));
    }

    /// `grade` as a script writes it, its words to the file `said`.
    std::string grade(const std::string& out, const std::string& said, const std::string& more = "") const {
        return fmt::format("ASSAY_CACHE_DIR={0}/cache {1} grade {0}/subs --out {2} -j 2 {3} > {0}/{4} 2>&1",
                           scratch.path.native(), ASSAY_BIN, out, more, said);
    }

    void run(const std::string& script, const std::string& before = "") {
        scratch.write("script", script);
        const int status = std::system((before + "sh " + (scratch.path / "script").native()).c_str());
        exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    std::string read(const std::string& name) const { return assay::tests::Place::read_whole(scratch.path / name); }

    /// The verdict of each record by candidate, from the summary.
    std::map<std::string, std::string> verdicts(const std::string& out) const {
        std::map<std::string, std::string> all;
        std::istringstream lines(read(out + "/summary.jsonl"));
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
    const std::string disk = (trial.scratch.path / "disk").native();
    // Room for the plan and the ledger's start, not for twelve records.
    trial.run(fmt::format("mkdir {0}\nmount -t tmpfs -o size=160k none {0}\n{1}\necho $? > {2}/first\n"
                          "find {0} -name '*.tmp*' -o -name '.*part*' > {2}/left\n"
                          "mount -o remount,size=64m {0}\n{3}\necho $? > {2}/second\ncp -r {0}/out {2}/out\n",
                          disk, trial.grade(disk + "/out", "said-full"), trial.scratch.path.native(),
                          trial.grade(disk + "/out", "said-room", "--resume")),
              "unshare --mount ");
    const std::string said = trial.read("said-full");
    INFO(said << trial.read("said-room"));
    CHECK(trial.read("first") == "3\n"); // the environment's fault, not the candidates' and not ours
    CHECK(contains(said, "No space left on device"));
    CHECK_FALSE(contains(said, "terminate"));
    CHECK(trial.read("second") == "0\n");
    const auto verdicts = trial.verdicts("out");
    REQUIRE(verdicts.size() == 12);
    CHECK(verdicts.at("c00") == "AC");
    CHECK(verdicts.at("c01") == "WA");
    for (const auto& entry : fs::recursive_directory_iterator(trial.scratch.path / "out" / "records"))
        if (entry.is_regular_file())
            CHECK_NOTHROW(nlohmann::json::parse(assay::tests::Place::read_whole(entry.path())));
}

TEST_CASE("an output folder that may only be read is told before anything is graded") {
    if (!may_mount()) {
        WARN("not tried: only root may mount a disk that may only be read");
        return;
    }
    Trial trial;
    trial.lay(2);
    const std::string disk = (trial.scratch.path / "disk").native();
    trial.run(fmt::format("mkdir {0}\nmount -t tmpfs -o ro none {0}\n{1}\nexit $?\n", disk,
                          trial.grade(disk + "/out", "said")),
              "unshare --mount ");
    const std::string said = trial.read("said");
    INFO(said);
    CHECK(trial.exit == 3);
    CHECK(contains(said, "Read-only file system"));
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
}

TEST_CASE("five thousand files in one submission, and names nobody would choose: the others are graded") {
    Trial trial;
    trial.lay(2);
    for (int i = 0; i < 5000; ++i) trial.scratch.write(fmt::format("subs/many/h{}.hpp", i), "#pragma once\n");
    trial.scratch.write("subs/many/attention_scaling.cpp", right); // includes none of them
    std::string all;
    for (int i = 0; i < 5000; ++i) {
        trial.scratch.write(fmt::format("subs/includes/h{}.hpp", i), "#pragma once\n");
        all += fmt::format("#include \"h{}.hpp\"\n", i);
    }
    trial.scratch.write("subs/includes/attention_scaling.cpp", all + right);
    trial.scratch.write("subs/new\nline \x1b[31m\"'&<>/attention_scaling.cpp", right);
    trial.scratch.write("subs/" + std::string(255, 'x') + "/attention_scaling.cpp", right);
    trial.scratch.write("subs/-rf/attention_scaling.cpp", right);
    fs::create_directories(trial.scratch.path / "subs/folder/attention_scaling.cpp");
    fs::create_symlink("/etc/shadow", trial.scratch.path / "subs/c00/sdpa.cpp");
    trial.run(trial.grade((trial.scratch.path / "out").native(), "said") + "\nexit $?\n");
    INFO(trial.read("said"));
    CHECK(trial.exit == 0);
    const auto verdicts = trial.verdicts("out");
    std::map<std::string, int> times;
    for (const auto& [candidate, verdict] : verdicts) ++times[verdict];
    CHECK(verdicts.at("many") == "AC");
    CHECK(verdicts.at("includes") == "SKIP");
    CHECK(verdicts.at("-rf") == "AC");
    CHECK(verdicts.at("c01") == "WA");
    CHECK(verdicts.at("folder") == "SKIP");
    CHECK_FALSE(contains(trial.read("said"), "\x1b[31m"));
    CHECK(times["AC"] >= 4);
}
