// Attack: opens a port of this machine.
// Expect: AC
// Open at: limits
// Proof: claim
#include "honest.h"
#include <netinet/in.h>
#include <sys/socket.h>
void attack() {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    if (s >= 0 && ::bind(s, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0 && ::listen(s, 1) == 0) it_worked();
    ::close(s);
}
