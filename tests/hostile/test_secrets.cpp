// What a worker can see, looked at from outside while an attempt stays in its first call: its memory, arguments,
// environment, descriptors and files hold nothing of what only the judge may know.
#include "catch.hpp"

#include "attempt/build.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/embedded.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "commands/build_inputs.hpp"
#include "core/registry.hpp"
#include "hostile/ground.hpp"
#include "judge/ask.hpp"
#include "sandbox/layers.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace assay;
using hostile::Ground;
namespace fs = std::filesystem;

/// Texts by what they are.
using Secrets = std::map<std::string, std::string>;

std::string bytes_of(const void* data, std::size_t size) { return {static_cast<const char*>(data), size}; }

/// The first elements of an input: 16 bytes that chance does not repeat.
std::string start_of(const Problem& problem, const char* name) {
    const Array& array = problem.array(name);
    REQUIRE(array.storage.size() >= 16);
    return bytes_of(array.storage.data(), 16);
}

/// What the judge knows and no attempt may: cases that are not this one, the right answers, names of mistakes, texts.
Secrets secrets_of(const Exercise& exercise, const Problem& shown) {
    Secrets secrets;
    for (const Level& level : exercise.levels)
        for (const Case& one : level.cases) {
            secrets["why of " + one.id] = one.why;
            if (level.script) continue;
            const Problem other = one.make(0);
            const Array* v = std::get_if<Array>(&other.find("v")->value);
            if (v != nullptr && v->storage.size() >= 16 && start_of(other, "v") != start_of(shown, "v"))
                secrets["v of " + one.id] = start_of(other, "v");
        }
    const Outcome<Truths> truths = truth_of(exercise, shown);
    REQUIRE(truths.ok());
    const std::vector<double>& value = truths->front().value;
    REQUIRE(value.size() >= 4);
    const std::vector<float> rounded(value.begin(), value.begin() + 4);
    secrets["the right answer"] = bytes_of(value.data(), 16);
    secrets["the right answer, rounded"] = bytes_of(rounded.data(), 16);
    for (const Mistake& mistake : exercise.mistakes) secrets["mistake " + mistake.id] = mistake.sentence;
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.substr(0, 9) == "solutions" && file.text.size() > 400)
            secrets["text of " + std::string(file.path)] = file.text.substr(200, 60);
    REQUIRE(secrets.size() > 60);
    return secrets;
}

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void erase_found(Secrets& hidden, std::string_view memory, std::set<std::string>& found) {
    for (const auto& [what, text] : hidden)
        if (memory.find(text) != std::string_view::npos) found.insert(what);
}

struct Mapping {
    std::uint64_t from = 0, to = 0;
    std::string how, file;
};

std::vector<Mapping> mappings_of(pid_t pid) {
    std::vector<Mapping> mappings;
    std::istringstream lines(text_of(fmt::format("/proc/{}/maps", pid)));
    for (std::string line; std::getline(lines, line);) {
        Mapping mapping;
        std::istringstream fields(line);
        std::string range, offset, device, inode;
        fields >> range >> mapping.how >> offset >> device >> inode >> std::ws;
        std::getline(fields, mapping.file);
        mapping.from = std::stoull(range, nullptr, 16);
        mapping.to = std::stoull(range.substr(range.find('-') + 1), nullptr, 16);
        mappings.push_back(mapping);
    }
    return mappings;
}

/// Which of the secrets stand in the process's own memory, and in all that has been written of the shared one.
std::set<std::string> found_in_memory(pid_t pid, Secrets& secrets) {
    std::set<std::string> found;
    const int memory = ::open(fmt::format("/proc/{}/mem", pid).c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(memory >= 0);
    std::size_t read = 0;
    for (const Mapping& mapping : mappings_of(pid)) {
        if (mapping.file.find("memfd") != std::string::npos || mapping.to - mapping.from > (64u << 20)) continue;
        std::string bytes(mapping.to - mapping.from, '\0');
        const ssize_t got = ::pread(memory, bytes.data(), bytes.size(), static_cast<off_t>(mapping.from));
        if (got <= 0) continue; // guard pages
        read += static_cast<std::size_t>(got);
        erase_found(secrets, std::string_view(bytes).substr(0, static_cast<std::size_t>(got)), found);
    }
    ::close(memory);
    CHECK(read > (1u << 20));

    const int arena = ::open(fmt::format("/proc/{}/fd/4", pid).c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(arena >= 0);
    for (off_t from = ::lseek(arena, 0, SEEK_DATA); from >= 0; from = ::lseek(arena, from, SEEK_DATA)) {
        const off_t to = ::lseek(arena, from, SEEK_HOLE);
        std::string bytes(static_cast<std::size_t>(to - from), '\0');
        REQUIRE(::pread(arena, bytes.data(), bytes.size(), from) == to - from);
        erase_found(secrets, bytes, found);
        from = to;
    }
    ::close(arena);
    return found;
}

/// The worker that descends from us; -1 while there is none.
pid_t find_worker() {
    std::map<pid_t, pid_t> parent;
    std::vector<pid_t> workers;
    std::error_code failed;
    for (fs::directory_iterator at("/proc", failed), end; !failed && at != end; at.increment(failed)) {
        const std::string name = at->path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const pid_t pid = std::stoi(name);
        const std::string stat = text_of(at->path() / "stat");
        const std::size_t after = stat.rfind(')');
        if (after == std::string::npos || after + 4 > stat.size()) continue;
        parent[pid] = std::atoi(stat.c_str() + after + 4);
        if (stat.find("(worker-sdpa)") != std::string::npos) workers.push_back(pid);
    }
    for (const pid_t worker : workers)
        for (pid_t above = worker; above > 1; above = parent.count(above) != 0 ? parent[above] : 0)
            if (above == ::getpid()) return worker;
    return -1;
}

/// An attempt that stays in its first call, and the thread that asks it.
class Staying {
  public:
    explicit Staying(Ground& ground) : exercise_(*find_exercise("sdpa")), level_(exercise_.levels.front()) {
        const fs::path file = fs::path(ASSAY_SOURCE_DIR) / "tests/hostile/attempts/then/stays-in-call.cpp";
        const fs::path source = ground.lay(hostile::read_program(file));
        BuildOptions options;
        options.cache = ground.folder() / "cache";
        options.make_precompiled = false;
        const Outcome<Settings> settings = settings_of("sdpa");
        const Outcome<Toolchain> toolchain = find_toolchain("", options.cache);
        REQUIRE((settings.ok() && toolchain.ok()));
        const Outcome<Built> built = build(source, build_inputs("sdpa", *settings), *toolchain, options);
        if (!built) FAIL(built.failure().reason << built.failure().detail);
        library_ = built->library;
        WorkerSetup setup;
        setup.worker = layout().worker("sdpa");
        setup.library = built->library;
        setup.cpu_seconds = 20;
        attempt_ = std::make_unique<WorkerAttempt>(exercise_, setup);
        shown_ = level_.cases[1].make(0);
        thread_ = std::thread([this] { answered_ = attempt_->answer(level_, shown_).ok(); });
        for (int i = 0; i < 3000 && worker_ < 0; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            if (const pid_t found = find_worker(); found > 0 && is_asleep(found)) worker_ = found;
        }
    }
    ~Staying() { thread_.join(); }
    Staying(const Staying&) = delete;
    Staying& operator=(const Staying&) = delete;

    pid_t worker() const { return worker_; }
    const Exercise& exercise() const { return exercise_; }
    const Problem& shown() const { return shown_; }
    const fs::path& library() const { return library_; }

  private:
    const Exercise& exercise_;
    const Level& level_;
    fs::path library_;
    Problem shown_;
    std::unique_ptr<WorkerAttempt> attempt_;
    std::thread thread_;
    pid_t worker_ = -1;
    bool answered_ = false;

    /// In the attempt's own sleep: the library is loaded and the call is under way.
    static bool is_asleep(pid_t pid) {
        return text_of(fmt::format("/proc/{}/wchan", pid)).find("nanosleep") != std::string::npos ||
               text_of(fmt::format("/proc/{}/syscall", pid)).substr(0, 4) == "230 ";
    }
};

/// All files that can be seen below the worker's own root, save the system's libraries and devices.
std::vector<std::string> files_seen(pid_t pid) {
    const std::set<std::string> libraries{"lib", "lib32", "lib64", "libx32"}, walked_by_themselves{"usr", "usr/local"},
        kernels{"proc", "dev", "sys"};
    const fs::path root = fmt::format("/proc/{}/root", pid);
    std::vector<std::string> files;
    std::error_code failed;
    const auto enter = [&](const fs::path& path) { files.push_back(path.lexically_relative(root).string()); };
    for (const char* folder : {"", "usr", "usr/local"})
        for (fs::directory_iterator at(root / folder, failed), end; !failed && at != end; at.increment(failed)) {
            const std::string name = at->path().lexically_relative(root).string();
            if (libraries.count(at->path().filename().string()) != 0 || walked_by_themselves.count(name) != 0 ||
                kernels.count(name) != 0)
                continue;
            if (at->is_symlink(failed) || !at->is_directory(failed)) {
                enter(at->path());
                continue;
            }
            std::error_code denied;
            for (fs::recursive_directory_iterator in(at->path(), denied), last; !denied && in != last;
                 in.increment(denied))
                if (!in->is_directory(denied)) enter(in->path());
        }
    return files;
}

} // namespace

TEST_CASE("a worker's memory, arguments, environment, descriptors and files give nothing away", "[hostile]") {
    Ground ground;
    ::setenv("HOSTILE_SECRET", ground.secret().c_str(), 1);
    Staying staying(ground);
    ::unsetenv("HOSTILE_SECRET");
    const pid_t worker = staying.worker();
    REQUIRE(worker > 0);

    Secrets secrets = secrets_of(staying.exercise(), staying.shown());
    secrets["the judge's environment"] = ground.secret();
    secrets["the candidate's folder"] = (ground.folder() / "submissions").string();
    Secrets given{{"its own v", start_of(staying.shown(), "v")}, {"its own text", "what-the-attempt-holds"}};
    CHECK(found_in_memory(worker, given) == std::set<std::string>{"its own text", "its own v"}); // the search finds
    CHECK(found_in_memory(worker, secrets) == std::set<std::string>{});

    const std::string arguments = text_of(fmt::format("/proc/{}/cmdline", worker));
    CHECK(std::count(arguments.begin(), arguments.end(), '\0') == 2);
    CHECK(arguments.find("worker-sdpa") != std::string::npos);
    CHECK(arguments.find("submissions") == std::string::npos);
    const std::string environment = text_of(fmt::format("/proc/{}/environ", worker));
    CHECK(environment.find("LANG=C.UTF-8") != std::string::npos);
    for (std::istringstream entries(environment); !entries.eof();) {
        std::string entry;
        std::getline(entries, entry, '\0');
        if (entry.empty()) continue;
        const std::string name = entry.substr(0, entry.find('='));
        INFO(entry);
        CHECK(std::set<std::string>{"PATH", "HOME", "LANG", "TMPDIR", "OMP_NUM_THREADS", "OMP_WAIT_POLICY"}.count(
                  name) == 1);
    }

    std::map<std::string, std::string> descriptors;
    for (const fs::directory_entry& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", worker)))
        descriptors[entry.path().filename().string()] = fs::read_symlink(entry.path()).string();
    REQUIRE(descriptors.size() == 5);
    CHECK(descriptors["0"] == "/dev/null");
    CHECK(descriptors["1"].substr(0, 5) == "pipe:");
    CHECK(descriptors["2"].substr(0, 5) == "pipe:");
    CHECK(descriptors["3"].substr(0, 7) == "socket:");
    CHECK(descriptors["4"].substr(0, 18) == "/memfd:assay-arena");

    for (const Mapping& mapping : mappings_of(worker)) {
        const std::string& file = mapping.file;
        if (file.empty() || file[0] == '[') continue;
        INFO(file);
        CHECK((file.find("/lib") != std::string::npos || file.find("worker-sdpa") != std::string::npos ||
               fs::path(file).filename() == staying.library().filename() ||
               file.find("memfd:assay-arena") != std::string::npos));
    }

    if (layers_here().level() < Isolation::contained)
        std::cerr << "SKIP of the worker's files: there is no bubblewrap here to hide the machine's\n";
    else
        for (const std::string& file : files_seen(worker)) {
            const std::string name = fs::path(file).filename().string();
            INFO(file);
            CHECK((name == "worker-sdpa" || name == staying.library().filename() || name == "assay-confine" ||
                   file == "bin" || file == "sbin" || file.substr(0, 4) == "etc/")); // bin: a link to what is not there
        }
}
