// Not an attack of its own: played after one that leaves something, it tells whether it can be found.
// Expect: AC SV
#include "honest.h"
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
void attack() {
    if (::open("/dev/shm/hostile-left-shm", O_RDONLY) >= 0) it_worked();
    if (::shmget(0x0badcafe, 4096, 0666) >= 0) it_worked();
    const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    memcpy(name.sun_path + 1, "hostile-left", 12);
    if (s >= 0 && ::connect(s, reinterpret_cast<sockaddr*>(&name), offsetof(sockaddr_un, sun_path) + 13) == 0)
        it_worked();
}
