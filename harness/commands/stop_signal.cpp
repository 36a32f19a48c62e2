#include "commands/stop_signal.hpp"

#include "commands/stop.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace assay {

namespace {
int stop_writer = -1;
}

StopSignal::StopSignal() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        throw Stop(Exit::environment, "too many files are open: raise the limit (ulimit -n)");
    reader_ = ends[0];
    stop_writer = ends[1];
    struct sigaction action {};
    action.sa_handler = [](int) {
        const int kept = errno;
        [[maybe_unused]] const ssize_t n = write(stop_writer, "x", 1);
        errno = kept;
    };
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND); // a second Ctrl-C ends a check that hangs
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool StopSignal::given() const {
    pollfd one{reader_, POLLIN, 0};
    return poll(&one, 1, 0) > 0;
}

} // namespace assay
