// Attack: answers every call of a long run ahead and reads none, so that the judge waits for room on its own channel.
// Expect: RTE TLE
// Exercise: batching batcher
// Proof: judge
#include "contract.hpp"
#include <sys/socket.h>
#include <unistd.h>
namespace batching {
batcher* make_batcher(settings) {
    // done, no exception; handle 0, as make_batcher answers; then { fire, reject, wake } and an empty list, for ever
    static const char made[] = "\xd3\0\0\0\0\0\0\0\0\xa0\xa0\xd3\0\0\0\0\0\0\0\0";
    static const char nothing[] = "\xd3\0\0\0\0\0\0\0\0\xa0\xa0\xc2\xc2\xd3\xff\xff\xff\xff\xff\xff\xff\xff\xd3\0\0\0\0\0\0\0\0";
    ::send(3, made, sizeof made - 1, 0);
    for (;;)
        if (::send(3, nothing, sizeof nothing - 1, MSG_NOSIGNAL) < 0) ::pause();
}
} // namespace batching
