// Attack: looks through the whole of the shared memory for cases that it has not been asked yet.
// Expect: AC
// Proof: claim
#define OWN_ANSWER
#include "honest.h"
#include <sys/mman.h>
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    static bool begun = false;
    if (!begun) { // in the first call nothing but this call's tensors may ever have been written
        begun = true;
        const long end = (k.size() + v.size() + q.size() + out.size()) * 4 + 32 * 4096, pages = (64l << 20) / 4096;
        const char* arena = static_cast<const char*>(::mmap(nullptr, 64 << 20, PROT_READ, MAP_SHARED, 4, 0));
        if (arena != MAP_FAILED)
            for (long at = end / 4096 + 1; at < pages; ++at)
                for (long i = 0; i < 4096; i += 64)
                    if (arena[at * 4096 + i] != 0) it_worked();
    }
    right(q, k, v, scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3)))), out);
}
} // namespace sdpa
