// This machine's limits, for floors: how fast it multiplies, exponentiates and reads at the most.
#ifndef ASSAY_ROOFLINE_CEILINGS_HPP
#define ASSAY_ROOFLINE_CEILINGS_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace assay::roofline {

/// Best rates seen, of all threads together.
struct MachineLimits {
    int threads = 1;
    double flops = 0;             // FLOP/s, float32 multiply-adds on registers, 2 each
    double exponentials = 0;      // 1/s, float32, by ten instructions, from and to the nearest cache
    double bandwidth = 0;         // bytes/s of memory
    std::int64_t cache_bytes = 0; // what fits need not come from memory; 0 = not known
    std::int64_t array_bytes = 0; // that the bandwidth was measured over
    std::string kernels;          // "AVX2"
};

class LimitsMeter {
  public:
    /// Failure SKIP: Assay was built without Eigen, whose kernels these stand beside.
    static Outcome<std::unique_ptr<LimitsMeter>> make(int threads);
    ~LimitsMeter();
    LimitsMeter(const LimitsMeter&) = delete;
    LimitsMeter& operator=(const LimitsMeter&) = delete;

    /// Measures for so long and keeps what is better than before. A limit is what was ever seen: measured again after
    /// a race, it knows the machine's quiet moments as well.
    void sample(double seconds);
    const MachineLimits& best() const;

  private:
    struct State;
    explicit LimitsMeter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace assay::roofline

#endif
