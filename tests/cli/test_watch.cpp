// watch: a check at every save, however an editor saves; ends at Ctrl-C by the last verdict.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "python/interpreter.hpp"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <thread>

using namespace assay::tests;
using namespace std::chrono_literals;

namespace {

class Watching {
  public:
    Watching(const Place& place, const std::string& arguments) : out_(place.work().parent_path() / "watched") {
        const std::string command =
            place.program() + " watch " + arguments + " > " + assay::shell_word(out_.string()) + " 2>&1";
        pid_ = fork();
        if (pid_ == 0) {
            execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
            _exit(127);
        }
    }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;
    ~Watching() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

    /// Waits until the output has `part` after what was seen before.
    bool shows(const std::string& part) {
        for (int i = 0; i < 600; ++i) {
            const std::string text = Place::read_whole(out_);
            const std::size_t at = text.find(part, seen_);
            if (at != std::string::npos) {
                seen_ = at + part.size();
                return true;
            }
            std::this_thread::sleep_for(50ms);
        }
        UNSCOPED_INFO(Place::read_whole(out_));
        return false;
    }

    int interrupt() {
        kill(pid_, SIGINT);
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    std::filesystem::path out_;
    pid_t pid_ = -1;
    std::size_t seen_ = 0;
};

void follow_saves(const Place& place, const std::string& arguments) {
    place.write("sdpa.cpp", attention("    first_fault;"));
    Watching watching(place, arguments);
    REQUIRE(watching.shows("first_fault"));
    REQUIRE(watching.shows("CE"));                           // shown to the end: from now on a save is a change
    place.write("sdpa.cpp", attention("    second_fault;")); // beside it, then renamed over it
    REQUIRE(watching.shows("was saved"));
    REQUIRE(watching.shows("second_fault"));
    REQUIRE(watching.shows("CE"));
    { // in place
        const int file = open((place.work() / "sdpa.cpp").c_str(), O_WRONLY | O_TRUNC);
        REQUIRE(file >= 0);
        const std::string solution = checkout_file("solutions/sdpa/solution.cpp");
        REQUIRE(write(file, solution.data(), solution.size()) == static_cast<ssize_t>(solution.size()));
        close(file);
    }
    REQUIRE(watching.shows("Accepted"));
    REQUIRE(watching.interrupt() == 0);
}

} // namespace

TEST_CASE("watch follows saves by inotify") {
    const Place place;
    follow_saves(place, "sdpa");
}

TEST_CASE("watch follows saves by looking") {
    const Place place;
    follow_saves(place, "sdpa --poll");
}

TEST_CASE("watch ends with 1 where the last check failed, and waits for a file that an editor took away") {
    const Place place;
    place.write("sdpa.cpp", attention("    fault_one;"));
    Watching watching(place, "");
    REQUIRE(watching.shows("fault_one"));
    REQUIRE(watching.shows("CE"));
    std::filesystem::remove(place.work() / "sdpa.cpp");
    std::this_thread::sleep_for(200ms);
    place.write("sdpa.cpp", attention("    fault_two;"));
    REQUIRE(watching.shows("fault_two"));
    REQUIRE(watching.shows("CE"));
    place.write("sdpa.cpp", "");
    REQUIRE(watching.shows("sdpa.cpp")); // an empty file is told, and the watch goes on
    REQUIRE(watching.interrupt() == 1);
}

TEST_CASE("watch refuses what check refuses") {
    const Place place;
    REQUIRE(place.run("watch sdpaa").exit == 2);
    REQUIRE(place.run("watch").exit == 2);
}

TEST_CASE("watch follows an attempt in Python and the modules beside it") {
    if (!assay::find_interpreter()) {
        WARN("skipped: " << assay::find_interpreter().failure().reason);
        return;
    }
    const Place place;
    place.write("helper.py", "first = 1 / 0\n");
    place.write("sdpa.py", "import helper\n");
    Watching watching(place, "sdpa");
    REQUIRE(watching.shows("helper.py:1: first = 1 / 0"));
    REQUIRE(watching.shows("RTE"));
    place.write("helper.py", "second = = 2\n");
    REQUIRE(watching.shows("helper.py:1: error: "));
    REQUIRE(watching.shows("CE"));
    place.write("sdpa.py", checkout_file("solutions/sdpa/solution.py"));
    REQUIRE(watching.shows("Accepted"));
    REQUIRE(watching.interrupt() == 0);
}
