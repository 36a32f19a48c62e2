// What a trial of a kernel is: it runs on whatever device the runtime has, the emulation or a GPU, and says how far off
// the worst element was.
#ifndef ASSAY_TESTS_GPU_CASE_HPP
#define ASSAY_TESTS_GPU_CASE_HPP

#include "kernels.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace assay::gpu {

/// Unit roundoff of float32.
inline constexpr double u = 0x1p-24;

/// An exact number, and how far off careful float32 arithmetic may be.
struct Bounded {
    double value = 0, bound = 0;
};

struct Outcome {
    double worst = 0;                           // largest |got - exact| / bound; right where it is at most 1
    std::string trouble;                        // the first thing that is wrong, but for `worst`; empty: nothing
    std::uint64_t digest = 0xcbf29ce484222325u; // of the outputs' bytes (FNV-1a)

    bool right() const { return worst <= 1 && trouble.empty(); }
    void complain(const std::string& what) {
        if (trouble.empty()) trouble = what;
    }
    void judge(double got, const Bounded& exact) {
        const double off = std::fabs(got - exact.value);
        // Two infinities of one sign are equal; NaN is never within a bound.
        if (got == exact.value || off == 0) return;
        double ratio = off / exact.bound;
        if (!(off <= exact.bound) && !(ratio > 1)) ratio = std::numeric_limits<double>::infinity();
        if (ratio > worst) worst = ratio;
    }
    template <class T> void digest_of(const std::vector<T>& values) {
        for (const T& value : values) {
            unsigned char bytes[sizeof(T)];
            std::memcpy(bytes, &value, sizeof(T));
            for (const unsigned char byte : bytes) digest = (digest ^ byte) * 0x100000001b3u;
        }
    }
};

struct Case {
    std::string name; // "sdpa_forward 2: causal, more rows than keys"
    bool repeats;     // the same bits in whatever order threads run
    std::function<Outcome(cudaStream_t)> run;
};

/// The case on a stream of its own.
Outcome on_a_stream(const Case& one);

std::vector<Case> softmax_cases();
std::vector<Case> layernorm_cases();
std::vector<Case> sdpa_forward_cases();
std::vector<Case> sdpa_forward_16_cases();
std::vector<Case> sdpa_backward_cases();
std::vector<Case> p_yes_cases();
std::vector<Case> grpo_cases();

/// splitmix64, as doubles in [-1, 1).
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}
    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double next() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1; }
    float number(double size = 1) { return static_cast<float>(size * next()); }
    std::vector<float> numbers(std::size_t count, double size = 1) {
        std::vector<float> all(count);
        for (float& one : all) one = number(size);
        return all;
    }

  private:
    std::uint64_t state_;
};

} // namespace assay::gpu

#endif
