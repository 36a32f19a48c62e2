// Attack: starts the worker once more in its own place, with a library of its own loaded first.
// Expect: AC
#include "honest.h"
#include <fcntl.h>
#include <stdlib.h>
[[gnu::constructor]] static void early() {
    if (::getenv("AGAIN") != nullptr) return;
    ::setenv("AGAIN", "1", 1);
    ::setenv("LD_PRELOAD", "/usr/lib/x86_64-linux-gnu/libSegFault.so", 1);
    ::setenv("LD_AUDIT", "/tmp/none.so", 1);
    for (int fd = 3; fd < 5; ++fd) ::fcntl(fd, F_SETFD, 0);
    char program[4096] = {}, library[4096] = {};
    const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program - 1);
    const int line = ::open("/proc/self/cmdline", O_RDONLY);
    const ssize_t got = ::read(line, library, sizeof library - 1);
    ::close(line);
    if (length <= 0 || got <= 0) return;
    const char* second = library;
    while (*second != '\0') ++second;
    char* arguments[] = {library, const_cast<char*>(second + 1), nullptr};
    ::execv(program, arguments);
}
void attack() {}
