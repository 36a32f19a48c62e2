// Attack: answers "done" at once, and computes while the judge already reads.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
#include <sys/socket.h>
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    ::send(3, "\xd3\0\0\0\0\0\0\0\0\xa0\xa0", 11, 0);
    ::usleep(100000);
    right(q, k, v, scale.value_or(1), out);
}
} // namespace sdpa
