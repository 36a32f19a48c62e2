#include "hostile/play.hpp"

#include "catalogue/files.hpp"
#include "report/text.hpp"
#include "sandbox/layers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::hostile {

namespace fs = std::filesystem;

namespace {

constexpr double longest_play = 300; // s, after which the judge counts as hung
constexpr std::size_t longest_report = std::size_t{2} << 20;

std::string text_of(const fs::path& file) {
    bool ok = false;
    return read_text(file, ok, std::size_t{64} << 20);
}

/// The bench's own program beside the one that runs.
fs::path bench_program() { return layout().executable.parent_path() / "assay-hostile"; }

struct Ended {
    pid_t judge = -1;
    bool hung = false, stopped = false;
    int status = 0;
    double seconds = 0;
};

/// Runs a judge with its own environment; what it writes goes to two files of `ground`.
Ended run_judge(const Ground& ground, const std::vector<std::string>& arguments, const std::string& without) {
    std::vector<std::string> environment{
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "LANG=C.UTF-8",
        "HOME=" + (ground.folder() / "home").string(),
        "TMPDIR=" + (ground.folder() / "tmp").string(),
        "ASSAY_CACHE_DIR=" + (ground.folder() / ("cache-" + without)).string(),
        "HOSTILE_SECRET=" + ground.secret(),
        "ASSAY_WITHOUT=" + without,
    };
    const std::string program = bench_program().string();
    std::vector<char*> argv{const_cast<char*>(program.c_str())}, envp;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    for (const std::string& entry : environment) envp.push_back(const_cast<char*>(entry.c_str()));
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    const std::string out = ground.folder() / "out", err = ground.folder() / "err", work = ground.folder() / "work";

    Ended ended;
    const auto start = std::chrono::steady_clock::now();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int to_out = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int to_err = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int nothing = ::open("/dev/null", O_RDONLY);
        if (::dup2(nothing, 0) < 0 || ::dup2(to_out, 1) < 0 || ::dup2(to_err, 2) < 0 || ::chdir(work.c_str()) != 0)
            ::_exit(126);
        ::execve(program.c_str(), argv.data(), envp.data());
        ::_exit(127);
    }
    ended.judge = pid;
    while (true) {
        const pid_t changed = ::waitpid(pid, &ended.status, WNOHANG | WUNTRACED);
        ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        ended.stopped = changed == pid && WIFSTOPPED(ended.status);
        ended.hung = ended.seconds > longest_play;
        if (changed == pid && !ended.stopped) return ended;
        if (ended.stopped || ended.hung) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, &ended.status, 0);
    return ended;
}

/// Whether a group of processes that this judge made is still there.
bool group_left(pid_t judge) {
    const std::string begins = fmt::format("assay-{}-", judge);
    std::error_code failed;
    for (fs::recursive_directory_iterator at("/sys/fs/cgroup", fs::directory_options::skip_permission_denied, failed),
         end;
         !failed && at != end; at.increment(failed)) {
        if (at.depth() > 5) at.disable_recursion_pending();
        if (at->path().filename().string().substr(0, begins.size()) == begins) return true;
    }
    return false;
}

void read_record(Played& played) {
    const nlohmann::json record = nlohmann::json::parse(played.record, nullptr, false);
    if (record.is_discarded()) {
        played.effects.insert("judge");
        return;
    }
    played.verdict = record.at("verdict").get<std::string>();
    played.isolation = record.at("environment").at("isolation").get<std::string>();
    played.reason = record.value("reason", "");
    for (const nlohmann::json& level : record.at("levels"))
        for (const nlohmann::json& one : level.at("cases"))
            if (played.reason.empty()) played.reason = one.value("reason", "");
}

/// What the attack has brought back in what its judge wrote.
void look_for_words(Played& played, const std::string& secret) {
    const auto holds = [&](const std::string& word) {
        return played.record.find(word) != std::string::npos || played.report.find(word) != std::string::npos;
    };
    if (holds(secret) || holds("root:x:0:")) played.effects.insert("secret");
    if (holds("it-worked")) played.effects.insert("claim");
    if (holds_escapes(played.record) || holds_escapes(played.report)) played.effects.insert("escape");
    if (played.record.size() + played.report.size() > longest_report) played.effects.insert("flood");
}

std::string joined(const Effects& effects) {
    std::string text;
    for (const std::string& effect : effects) text += (text.empty() ? "" : ", ") + effect;
    return text;
}

void compare(Played& played, const Program& program, const std::string& level) {
    const std::vector<std::string>& allowed = program.expected.at(level);
    if (std::find(allowed.begin(), allowed.end(), played.verdict) == allowed.end())
        played.faults.push_back(fmt::format("{} at {} got {} ({}), should get {}", program.name, level,
                                            played.verdict.empty() ? "no verdict" : played.verdict, played.reason,
                                            fmt::join(allowed, " or ")));
    if (!played.effects.empty() && !program.is_open_at(level, layers_here().has(Layer::user)))
        played.faults.push_back(
            fmt::format("{} at {} is not stopped: {}", program.name, level, joined(played.effects)));
}

Played play_one(Ground& ground, const Program& program, const std::string& level) {
    std::vector<std::string> arguments{"check", ground.lay(program).string(), program.exercise, program.asked,
                                       fmt::format("{}", program.cpu_seconds)};
    if (program.second_look) arguments.emplace_back("--second-look");
    const Ended ended = run_judge(ground, arguments, without_for(level));
    Played played;
    played.seconds = ended.seconds;
    played.record = text_of(ground.folder() / "out");
    played.report = text_of(ground.folder() / "err");
    const int exit = WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : -1;
    if (ended.hung || ended.stopped || exit < 0)
        played.effects.insert("judge");
    else if (exit == 2 && played.record.empty())
        played.verdict = "unusable", played.reason = played.report;
    else
        read_record(played);
    look_for_words(played, ground.secret());
    if (group_left(ended.judge)) played.effects.insert("group");
    played.effects.merge(ground.effects());
    return played;
}

} // namespace

std::string without_for(const std::string& level) {
    if (level == "limits") return "landlock,seccomp,bubblewrap,cgroup";
    if (level == "filtered") return "bubblewrap,cgroup";
    if (level == "contained") return "cgroup";
    return "";
}

Played play(Ground& ground, const Program& program, const std::string& level) {
    Played played = play_one(ground, program, level);
    if (!program.then.empty()) {
        // The attempt that comes next, before anything is cleared away, is asked by the same kind of judge.
        const Program next = read_program(program.file.parent_path().parent_path() / "then" / (program.then + ".cpp"));
        Played after = play_one(ground, next, level);
        compare(after, next, level);
        played.effects.merge(after.effects);
        played.faults = std::move(after.faults);
    }
    compare(played, program, level);
    return played;
}

std::vector<std::string> play_together(Ground& ground, const std::vector<Asked>& attempts, std::size_t threads,
                                       const std::string& level) {
    std::string list;
    for (const Asked& asked : attempts)
        list += fmt::format("{} {} {}\n", asked.source.string(), asked.exercise, asked.level);
    const fs::path file = ground.folder() / "list";
    if (!write_text(file, list).empty()) return {};
    const Ended ended = run_judge(ground, {"many", file.string(), std::to_string(threads)}, without_for(level));
    if (ended.hung || ended.stopped || !WIFEXITED(ended.status)) return {};
    return lines_of(text_of(ground.folder() / "out"));
}

std::string reached(const std::string& level) {
    Ground ground;
    run_judge(ground, {"level"}, without_for(level));
    std::string name = text_of(ground.folder() / "out");
    while (!name.empty() && name.back() == '\n') name.pop_back();
    return name;
}

std::vector<std::string> levels_here() {
    std::vector<std::string> here;
    for (const std::string& level : levels)
        if (reached(level) == level) here.push_back(level);
    return here;
}

bool may_be_played(const Program& program, const std::string& level) {
    return !program.needs_holding || level != "limits" || layers_here().has(Layer::user);
}

int tell_level() {
    fmt::print("{}\n", name_of(layers_here().level()));
    return 0;
}

} // namespace assay::hostile
