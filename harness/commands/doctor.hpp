// assay doctor: what works on this machine, what is missing, and the command that mends it.
#ifndef ASSAY_COMMANDS_DOCTOR_HPP
#define ASSAY_COMMANDS_DOCTOR_HPP

#include "commands/stop.hpp"
#include "report/style.hpp"

namespace assay {

struct DoctorArguments {
    ColorMode color = ColorMode::automatic;
};

Exit doctor_command(const DoctorArguments& arguments);

} // namespace assay

#endif
