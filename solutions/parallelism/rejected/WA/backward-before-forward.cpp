// Wrong: the last stage goes back before it has gone forth.
// Level: schedules
#include "contract.hpp"

#include <algorithm>

namespace parallelism {

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    for (std::int64_t s = 0; s < p; ++s) {
        const std::int64_t warm = kind == schedule::gpipe ? m : std::min(m, p - s - 1);
        std::int64_t at = 0, back = 0;
        for (std::int64_t k = 0; k < warm; ++k) order(s, at++) = k + 1;
        for (std::int64_t k = warm; k < m; ++k) {
            order(s, at++) = s == p - 1 ? -(++back) : k + 1;
            order(s, at++) = s == p - 1 ? k + 1 : -(++back);
        }
        while (back < m) order(s, at++) = -(++back);
    }
}

} // namespace parallelism
