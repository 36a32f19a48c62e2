// Wrong: micro-batch k is written k and -k.
// Level: schedules
#include "contract.hpp"

#include <algorithm>

namespace parallelism {

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    for (std::int64_t s = 0; s < p; ++s) {
        const std::int64_t ahead = kind == schedule::gpipe ? m : std::min(m, p - s);
        std::int64_t at = 0;
        for (std::int64_t k = 0; k < ahead; ++k) order(s, at++) = k;
        for (std::int64_t k = 0; k < m; ++k) {
            order(s, at++) = -k;
            if (ahead + k < m) order(s, at++) = ahead + k;
        }
    }
}

} // namespace parallelism
