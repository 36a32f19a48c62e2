// assay check: builds an attempt, runs its levels and explains the first failure.
#ifndef ASSAY_COMMANDS_CHECK_HPP
#define ASSAY_COMMANDS_CHECK_HPP

#include "commands/device_at_hand.hpp"
#include "commands/stop.hpp"
#include "report/style.hpp"

#include <cstdint>
#include <string>

namespace assay {

enum class Format { terminal, json };

struct CheckArguments {
    std::string attempt;  // exercise or file; "" = the only attempt in this folder
    std::string exercise; // that the file attempts; "" = deduced
    std::string level, case_spec;
    std::uint64_t seed = 0;
    std::string compiler;
    WantedDevice device = WantedDevice::unsaid; // of an attempt in CUDA
    std::string isolation;                      // the level that is required; "" = none
    bool speed = false;                         // the timed levels too
    Format format = Format::terminal;
    ColorMode color = ColorMode::automatic;
};

Exit check_command(const CheckArguments& arguments);

} // namespace assay

#endif
