// Wrong: warms up by depth alone, and the row is full of forwards that do not exist.
// Level: schedules
#include "contract.hpp"

namespace parallelism {

void write_schedule(schedule kind, std::int64_t p, std::int64_t m, tensor<std::int64_t, 2> order) {
    for (std::int64_t s = 0; s < p; ++s) {
        const std::int64_t warm = kind == schedule::gpipe ? m : p - s - 1;
        std::int64_t at = 0, back = 0;
        const auto write = [&](std::int64_t operation) {
            if (at < 2 * m) order(s, at++) = operation;
        };
        for (std::int64_t k = 0; k < warm; ++k) write(k + 1);
        for (std::int64_t k = warm; k < m; ++k) {
            write(k + 1);
            write(-(++back));
        }
        while (back < m) write(-(++back));
    }
}

} // namespace parallelism
