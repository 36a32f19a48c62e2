#include "core/random.hpp"

#include "core/fnv.hpp"

namespace assay {

Random::Random(std::uint64_t seed, std::string_view name) : state_(seed) {
    state_ = next() ^ fnv1a(name);
    next();
}

std::uint64_t Random::next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::int64_t Random::integer(std::int64_t low, std::int64_t high) {
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    if (range == 0) return static_cast<std::int64_t>(next()); // the full 64 bits
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
    std::uint64_t draw = next();
    while (draw >= limit) draw = next();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + draw % range);
}

double Random::normal() {
    std::uint64_t sum = 0; // of twelve multiples of 2^-32, two a draw
    for (int i = 0; i < 6; ++i) {
        const std::uint64_t draw = next();
        sum += (draw >> 32) + (draw & 0xffffffffu);
    }
    return static_cast<double>(sum) * 0x1p-32 - 6.0;
}

} // namespace assay
