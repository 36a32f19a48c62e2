// assay: runs one command, and turns whatever goes wrong into one sentence and an exit code.
#include "attempt/build.hpp"
#include "commands/command_line.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace {

using namespace assay;

Exit guarded(int argc, char** argv) {
    try {
        return run_command_line(argc, argv);
    } catch (const Stop& stop) {
        fmt::print(stderr, "assay: {}\n", stop.what());
        return stop.exit();
    } catch (const std::bad_alloc&) {
        std::fputs("assay: out of memory\n", stderr);
    } catch (const std::exception& error) {
        fmt::print(stderr, "assay: this should not have happened: {}; please report it\n", error.what());
    } catch (...) {
        std::fputs("assay: this should not have happened; please report it\n", stderr);
    }
    return Exit::fault;
}

} // namespace

int main(int argc, char** argv) {
    // A reader of our output that went away (head, less) is no failure. A handler, not SIG_IGN: programs that we start
    // would inherit that.
    struct sigaction quiet {};
    quiet.sa_handler = [](int) {};
    quiet.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &quiet, nullptr);
    const Exit exit = guarded(argc, argv);
    finish_background_builds();
    return static_cast<int>(exit);
}
