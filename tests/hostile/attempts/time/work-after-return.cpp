// Attack: returns at once and leaves the work to a thread that ends after the clock was read.
// Expect: WA RTE
#define OWN_ANSWER
#include "honest.h"
#include <pthread.h>
namespace {
struct Work {
    assay::tensor<const float, 4> q, k, v;
    float scale;
    assay::tensor<float, 4> out;
} work;
void* later(void*) {
    const Work mine = work;
    ::usleep(50000);
    right(mine.q, mine.k, mine.v, mine.scale, mine.out);
    return nullptr;
}
} // namespace
namespace sdpa {
void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,
               optional<tensor<const bool, 4>>, bool, optional<float> scale, tensor<float, 4> out) {
    work = {q, k, v, scale.value_or(1 / sqrtf(static_cast<float>(q.extent(3)))), out};
    pthread_t thread;
    ::pthread_create(&thread, nullptr, later, nullptr);
}
} // namespace sdpa
