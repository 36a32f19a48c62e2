// Attack: makes 50,000 calls that are refused, to keep whoever refuses them busy.
// Expect: TLE AC
// Expect at limits: AC
#include "honest.h"
#include <sys/socket.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    for (int i = 0; i < 50000; ++i) ::close(::socket(AF_INET, SOCK_STREAM, 0));
}
