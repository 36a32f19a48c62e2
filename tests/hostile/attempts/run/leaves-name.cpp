// Attack: leaves an abstract socket name open in a daemon, for the attempt that comes next.
// Expect: AC
// Proof: process
// Then: look-for-leftovers
#include "honest.h"
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
void attack() {
    const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    memcpy(name.sun_path + 1, "hostile-left", 12);
    if (s < 0 || ::bind(s, reinterpret_cast<sockaddr*>(&name), offsetof(sockaddr_un, sun_path) + 13) != 0) return;
    ::listen(s, 1);
    if (::fork() == 0) {
        ::setsid();
        ::sleep(600);
        ::_exit(0);
    }
}
