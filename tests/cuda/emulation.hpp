// What the tests of the emulation share.
#ifndef ASSAY_TESTS_CUDA_EMULATION_HPP
#define ASSAY_TESTS_CUDA_EMULATION_HPP

#include "host/simt.hpp"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace assay::simt::trial {

/// Numbered order, all threads shuffled, warp by warp.
inline constexpr std::uint64_t orders[] = {0, 1, 2};

/// A fresh device whose lanes run in the given order.
inline void start(std::uint64_t order) {
    reset();
    set_order(order);
}

/// Multiples of 1/8 in [-4, 4): sums of thousands are exact in float, in any order.
inline std::vector<float> eighths(std::size_t n, std::uint64_t seed = 1) {
    std::vector<float> values(n);
    for (float& value : values) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<float>(static_cast<int>(seed >> 58) - 32) / 8.0f;
    }
    return values;
}

/// The line of a kernel file's comment "mark: ...".
inline int line_of(const std::string& file, const std::string& mark) {
    std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/tests/cuda/kernels/" + file);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number)
        if (line.find("// mark: " + mark) != std::string::npos) return number;
    return -1;
}

} // namespace assay::simt::trial

#endif
