// What a run on a GPU found, and how it is written down.
#ifndef ASSAY_TESTS_GPU_REPORT_HPP
#define ASSAY_TESTS_GPU_REPORT_HPP

#include "case.hpp"
#include "times.hpp"

namespace assay::gpu {

struct Trial {
    std::string name;
    Outcome outcome;
};

struct Report {
    std::string device, capability;
    int runtime = 0, driver = 0; // CUDA versions, 1000 major + 10 minor
    std::vector<Trial> trials;
    Peaks peaks;
    std::vector<Time> attention, rows;
};

/// Every trial within its bounds, and every timed output too.
bool right(const Report& report);
/// A line.
std::string summary(const Report& report);
std::string as_markdown(const Report& report);
std::string as_json(const Report& report);

} // namespace assay::gpu

#endif
