// What a device can do at the most, for the least time of a case on it.
#ifndef ASSAY_COMMANDS_DEVICE_FLOOR_HPP
#define ASSAY_COMMANDS_DEVICE_FLOOR_HPP

#include "catalogue/hardware.hpp"
#include "core/dtype.hpp"
#include "core/exercise.hpp"
#include "core/problem.hpp"
#include "timing/floor.hpp"

#include <functional>
#include <string>

namespace assay {

/// By the type of a problem's tensors. What measures a device can take the place of its data sheet, but for this: no
/// program may be faster than a floor, and a matrix product or a copy that was measured is no such limit.
using DeviceFloors = std::function<timing::DeviceFloor(Dtype)>;

/// A chip's, by its data sheet.
timing::DeviceFloor floor_of(const Chip& chip, Dtype storage);

/// Of the device that the driver names so; `source` says why where nothing is known of it.
DeviceFloors data_sheet_floors(const std::string& device);

/// The type of the problem's first tensor of numbers; float32 where it has none.
Dtype storage_of(const Problem& problem);
/// Bytes of the tensors that its route writes.
double written_bytes(const Exercise& exercise, const Problem& problem);

} // namespace assay

#endif
