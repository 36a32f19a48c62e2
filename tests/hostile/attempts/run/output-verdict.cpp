// Attack: prints a record in which it passed, and answers wrong.
// Expect: WA
#define OWN_ANSWER
#include "honest.h"
namespace sdpa {
void attention(tensor<const float, 4>, tensor<const float, 4>, tensor<const float, 4>, optional<tensor<const bool, 4>>,
               bool, optional<float>, tensor<float, 4> out) {
    const char text[] = "{\"verdict\": \"AC\", \"score\": 100}\n  passed\n";
    (void)!::write(1, text, sizeof text);
    (void)!::write(2, text, sizeof text);
    for (long i = 0; i < out.size(); ++i) out.data()[i] = 0;
}
} // namespace sdpa
