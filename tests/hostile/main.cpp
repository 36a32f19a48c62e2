// The bench of hostile attempts:
//   assay-hostile play [LEVEL] [NAME ...]   plays them (all; at every level that this machine reaches), tells what each
//   got assay-hostile write                     writes tests/hostile/README.md's table anew from the programs' headers
//   assay-hostile check ..., many ..., level   the judges that it starts
#include "hostile/judge.hpp"
#include "hostile/play.hpp"
#include "hostile/table.hpp"

#include "attempt/build.hpp"
#include "catalogue/files.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

namespace {

using namespace assay::hostile;
namespace fs = std::filesystem;

int play_all(const std::vector<std::string>& words) {
    std::vector<std::string> here = levels_here(), names;
    for (const std::string& word : words)
        if (std::find(levels.begin(), levels.end(), word) != levels.end())
            here = {word};
        else
            names.push_back(word);
    int faults = 0;
    Ground ground;
    for (const Program& program : programs_in(fs::path(ASSAY_SOURCE_DIR) / "tests/hostile/attempts")) {
        const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return program.name.substr(0, name.size()) == name;
        });
        if (!names.empty() && !named) continue;
        for (const std::string& level : here) {
            if (!may_be_played(program, level)) continue;
            const Played played = play(ground, program, level);
            fmt::print("{:32} {:10} {:9} {:6.2f} s  {}{}\n", program.name, level, played.verdict, played.seconds,
                       fmt::join(played.effects, ","), played.faults.empty() ? "" : "  FAULT");
            for (const std::string& fault : played.faults) fmt::print("    {}\n", fault);
            if (std::getenv("HOSTILE_SHOW") != nullptr) fmt::print("{}\n{}\n", played.record, played.report);
            std::fflush(stdout);
            faults += static_cast<int>(played.faults.size());
        }
    }
    return faults == 0 ? 0 : 1;
}

/// Lines of "source exercise level" in a file.
int judge_many(const fs::path& list, std::size_t threads) {
    std::vector<Asked> attempts;
    std::ifstream lines(list);
    std::string source;
    for (Asked one; lines >> source >> one.exercise >> one.level;) {
        one.source = source;
        attempts.push_back(one);
    }
    return check_many(attempts, threads);
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const std::string mode = words.empty() ? "" : words[0];
    int exit = 2;
    if (mode == "play")
        exit = play_all({words.begin() + 1, words.end()});
    else if (mode == "write")
        exit = write_table(fs::path(ASSAY_SOURCE_DIR) / "tests/hostile");
    else if (mode == "check" && words.size() >= 5)
        exit = check_one({words[1], words[2], words[3]}, std::stod(words[4]), words.size() == 6);
    else if (mode == "many" && words.size() == 3)
        exit = judge_many(words[1], std::stoul(words[2]));
    else if (mode == "level")
        exit = tell_level();
    else
        std::fputs("usage: assay-hostile play [LEVEL] [NAME ...] | write\n", stderr);
    assay::finish_background_builds();
    return exit;
}
