#include "simulate/time.hpp"

#include <fmt/format.h>

namespace assay {

std::string text_of(Time time) {
    if (time >= never) return "never";
    if (time < 0) return "-" + text_of(-time);
    struct Unit {
        Time size;
        const char* name;
    };
    for (const Unit& unit : {Unit{second, "s"}, Unit{millisecond, "ms"}, Unit{microsecond, "µs"}}) {
        if (time < unit.size || time % (unit.size / 1000) != 0) continue;
        if (unit.size != second && time / unit.size >= 10'000) continue; // nobody reads 1000000.001 µs
        std::string text = std::to_string(time / unit.size);
        if (const Time rest = time % unit.size / (unit.size / 1000); rest != 0) {
            std::string decimals = fmt::format("{:03}", rest);
            decimals.erase(decimals.find_last_not_of('0') + 1);
            text += "." + decimals;
        }
        return fmt::format("{} {}", text, unit.name);
    }
    return time == 0 ? "0" : fmt::format("{} ns", time);
}

} // namespace assay
