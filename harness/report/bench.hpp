// What `assay bench` says: figures with their intervals on a terminal, and as JSON.
#ifndef ASSAY_REPORT_BENCH_HPP
#define ASSAY_REPORT_BENCH_HPP

#include "core/bench.hpp"
#include "core/record.hpp"
#include "report/style.hpp"
#include "roofline/ceilings.hpp"
#include "timing/device_time.hpp"
#include "timing/floor.hpp"
#include "timing/race.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct BenchReport {
    static constexpr int schema = 2; // data/bench.schema.json
    struct Contestant {
        timing::Timing timing;
        std::optional<std::int64_t> peak; // bytes of memory of its own, at most
        bool on_device = false;
        std::optional<timing::DeviceClocks> clocks = {}; // of one that was called on a device
    };
    /// That programs in CUDA ran on.
    struct OnDevice {
        std::string name, architecture; // "NVIDIA H200", "sm_90"
    };
    struct Case {
        std::string id, why;
        Cost cost;
        timing::Floor floor; // of no seconds where the limits are not known
        std::string limits;  // on a device: what it can do at the most and who says so, or why that is not known
        double control = 0;  // the twin's time by the first contestant's
        double allowed = 0;  // how far that may be off 1
        int rounds = 0;
        double seconds = 0;
        std::vector<Contestant> contestants;
    };
    struct LeftOut {
        std::string name, reason, diagnostics; // that never raced
    };
    std::string exercise, title;
    Environment environment;
    std::optional<OnDevice> device;
    std::string processor;          // "" where the system does not tell
    roofline::MachineLimits limits; // 0 where they could not be measured
    std::string reference;          // the contestant that ratios are taken to
    std::vector<LeftOut> left_out;
    std::vector<Case> cases;
    std::vector<std::string> further; // ids of cases that were not asked for
    std::vector<std::string> notes;
};

std::string bench_terminal(const BenchReport& report, const Style& style);
/// As data/bench.schema.json has it.
std::string bench_json(const BenchReport& report);

} // namespace assay

#endif
