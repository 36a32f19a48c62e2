// data/hardware.toml: chips with their dense peaks, memory and links, and what the vendor prints instead.
#ifndef ASSAY_CATALOGUE_HARDWARE_HPP
#define ASSAY_CATALOGUE_HARDWARE_HPP

#include "core/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Peak {
    std::string dtype;   // one of peak_dtypes()
    double dense = 0;    // FLOP/s (for int8 operations/s)
    double vendor = 0;   // as printed
    bool sparse = false; // the printed one counts 2:4 structured sparsity
};

struct Link {
    std::string kind;         // "nvlink"
    double per_direction = 0; // bytes/s, all links of the kind together
    double vendor = 0;        // as printed
    bool two_way = false;     // the printed one adds up both directions
    std::int64_t joins = 0;   // the most chips that it connects; 0 = no such limit
    std::string source;       // where it differs from the chip's
};

struct Chip {
    std::string name; // "h100-sxm"
    std::string title;
    std::string source;
    std::string device; // what CUDA's driver calls it; "" where it is no GPU of NVIDIA's
    double memory_bytes = 0;
    double memory_bandwidth = 0; // bytes/s
    std::vector<Peak> peaks;
    std::vector<Link> links;

    const Peak* peak(std::string_view dtype) const; // null where the chip has none
    const Link* link(std::string_view kind) const;  // likewise
    /// The fastest link that joins `count` chips; null where there is none.
    const Link* fastest_link(std::int64_t count) const;
};

/// The chip that CUDA's driver calls so; null where none is. Older drivers leave out "NVIDIA".
const Chip* chip_of_device(const std::vector<Chip>& chips, std::string_view device);

/// "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4".
const std::vector<std::string>& peak_dtypes();

/// Bytes that an element of that dtype takes in memory: fp4 0.5, tf32 4.
double element_bytes(std::string_view dtype);

/// Reads a file of data/hardware.toml's form. Failure: one sentence with file, line, key, and how to mend it.
Outcome<std::vector<Chip>> parse_chips(std::string_view text, const std::string& file);

/// The chips that were compiled in.
Outcome<std::vector<Chip>> known_chips();

} // namespace assay

#endif
