// Portable random numbers: the same on every compiler and libm, which std's distributions are not.
#ifndef ASSAY_CORE_RANDOM_HPP
#define ASSAY_CORE_RANDOM_HPP

#include <cstdint>
#include <string_view>

namespace assay {

/// splitmix64 (Steele, Lea, Flood, OOPSLA 2014): one 64-bit state, passes BigCrush, any seed is good.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// A stream of its own for each (seed, name).
    Random(std::uint64_t seed, std::string_view name);

    std::uint64_t next();
    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform();
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform integer in [low, high], without bias.
    std::int64_t integer(std::int64_t low, std::int64_t high);
    bool chance(double probability) { return uniform() < probability; }
    /// Mean 0, variance 1, within ±6: the sum of twelve uniforms less 6, exact arithmetic and so portable.
    double normal();

  private:
    std::uint64_t state_;
};

} // namespace assay

#endif
