// The reference planner of levels 4 and 5, with each of their mistakes as a switch.
#ifndef ASSAY_BROADCAST_ORACLE_RAREST_HPP
#define ASSAY_BROADCAST_ORACLE_RAREST_HPP

#include "oracle_world.hpp"

#include <memory>

namespace assay::broadcast_judge {

std::unique_ptr<Planner> rarest_first(const Setting& setting, const Disk& disk, const Slips& on);

} // namespace assay::broadcast_judge

#endif
