#include "catalogue/device_chip.hpp"

#include <utility>

namespace assay {

namespace {

/// Drivers before 450 left "NVIDIA" out.
constexpr std::pair<std::string_view, std::string_view> chips_by_device[] = {
    {"A100-SXM4-40GB", "a100-sxm-40"},
    {"A100-SXM4-80GB", "a100-sxm-80"},
    {"A100 80GB PCIe", "a100-pcie-80"},
    {"H100 80GB HBM3", "h100-sxm"},
    {"H100 PCIe", "h100-pcie"},
    {"H200", "h200"},
    {"B200", "b200"},
    {"L4", "l4"},
    {"L40S", "l40s"},
    {"GeForce RTX 4090", "rtx-4090"},
};

} // namespace

const Chip* chip_of_device(const std::vector<Chip>& chips, std::string_view device) {
    constexpr std::string_view maker = "NVIDIA ";
    if (device.substr(0, maker.size()) == maker) device.remove_prefix(maker.size());
    for (const auto& [name, id] : chips_by_device) {
        if (name != device) continue;
        for (const Chip& chip : chips)
            if (chip.name == id) return &chip;
    }
    return nullptr;
}

} // namespace assay
