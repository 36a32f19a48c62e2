// Attack: connects to a local server by its abstract name, which no file system hides.
// Expect: AC
// Open at: limits
// Proof: peer
#include "bait.h"
#include "honest.h"
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    memcpy(to.sun_path + 1, BAIT_SOCKET, sizeof BAIT_SOCKET - 1);
    const socklen_t length = offsetof(sockaddr_un, sun_path) + sizeof BAIT_SOCKET;
    if (::connect(s, reinterpret_cast<sockaddr*>(&to), length) == 0) it_worked();
    ::close(s);
}
