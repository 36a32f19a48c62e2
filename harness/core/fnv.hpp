// FNV-1a: a short hash of a text for names and fingerprints, where nobody gains by a collision.
#ifndef ASSAY_CORE_FNV_HPP
#define ASSAY_CORE_FNV_HPP

#include <cstdint>
#include <string_view>

namespace assay {

/// 64 bits (Fowler, Noll, Vo).
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

} // namespace assay

#endif
