// Attack: reads the environment, the arguments and the descriptors of every process above it.
// Expect: AC
// Proof: secret
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
#include <stdio.h>
static void show(int pid, const char* what) {
    char path[64], text[4096];
    ::snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
    const int file = ::open(path, O_RDONLY);
    if (file < 0) return;
    for (ssize_t got; (got = ::read(file, text, sizeof text)) > 0;) (void)!::write(1, text, static_cast<size_t>(got));
    ::close(file);
}
void attack() {
    for (const int pid : {static_cast<int>(::getppid()), BAIT_JUDGE})
        for (const char* what : {"environ", "cmdline", "fd/0", "fd/5", "fd/6"}) show(pid, what);
}
