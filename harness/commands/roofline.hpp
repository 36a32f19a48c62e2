// assay roofline: when a feed-forward network is bound by compute, memory or network, on a named chip or on this
// machine; and what this machine's GPU reaches.
#ifndef ASSAY_COMMANDS_ROOFLINE_HPP
#define ASSAY_COMMANDS_ROOFLINE_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace assay {

struct RooflineArguments {
    std::string chip;   // by name
    bool here = false;  // this machine, measured
    std::string device; // of --here: "cpu" or "" (the same), "cuda", "cuda:1"
    std::string tokens;
    std::string model;
    std::optional<std::int64_t> d_model, hidden, gpus, threads;
    bool gated = false;
    std::string dtype, link;
    std::string chips_file, models_file; // the user's own
    std::optional<double> seconds;
    bool json = false;
    ColorMode color = ColorMode::automatic;
};

Exit roofline_command(const RooflineArguments& arguments);

} // namespace assay

#endif
