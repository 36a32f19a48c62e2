#include "core/finding.hpp"

#include <array>

namespace assay {

std::string_view name_of(FindingKind kind) {
    static constexpr std::array<std::string_view, 8> names{
        "value", "nan", "inf", "shape", "mutated-input", "not-deterministic", "unwritten-output", "out-of-bounds"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace assay
