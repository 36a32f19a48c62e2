// Which chip of data/hardware.toml a device is that the CUDA driver tells of.
#ifndef ASSAY_CATALOGUE_DEVICE_CHIP_HPP
#define ASSAY_CATALOGUE_DEVICE_CHIP_HPP

#include "catalogue/hardware.hpp"

#include <string_view>
#include <vector>

namespace assay {

/// `device` as the driver names it ("NVIDIA H100 80GB HBM3"); null where it is none of the chips, or nobody has said
/// which: a chip's neighbours differ in clocks and memory under nearly the same name.
const Chip* chip_of_device(const std::vector<Chip>& chips, std::string_view device);

} // namespace assay

#endif
