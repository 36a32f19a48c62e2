#include "commands/device_floor.hpp"

#include "catalogue/hardware.hpp"
#include "report/roofline.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace assay {

namespace {

struct Way {
    const char* dtype;
    double products; // of this type for one of the contract's
    const char* how;
};

/// How fast arithmetic of the contract's accuracy can be had. Float32 is reached on tensor cores too: each number as
/// the sum of two narrower ones, three products of those for one (Ootomo and Yokota, "Recovering single precision
/// accuracy from Tensor Cores while surpassing the FP32 theoretical peak performance", 2022).
constexpr Way ways_f32[] = {{"fp32", 1, "float32"},
                            {"tf32", 3, "float32 by three tf32 products"},
                            {"fp16", 3, "float32 by three float16 products"}};
constexpr Way ways_f16[] = {{"fp32", 1, "float32"}, {"fp16", 1, "float16 products"}};
constexpr Way ways_bf16[] = {{"fp32", 1, "float32"}, {"bf16", 1, "bfloat16 products"}};

template <std::size_t N> std::pair<double, const char*> fastest(const Chip& chip, const Way (&ways)[N]) {
    std::pair<double, const char*> best{0, ""};
    for (const Way& way : ways)
        if (const Peak* peak = chip.peak(way.dtype); peak != nullptr && peak->dense / way.products > best.first)
            best = {peak->dense / way.products, way.how};
    return best;
}

} // namespace

timing::DeviceFloor floor_of(const Chip& chip, Dtype storage) {
    std::pair<double, const char*> arithmetic{0, ""};
    if (storage == Dtype::f32) arithmetic = fastest(chip, ways_f32);
    if (storage == Dtype::f16) arithmetic = fastest(chip, ways_f16);
    if (storage == Dtype::bf16) arithmetic = fastest(chip, ways_bf16);
    timing::DeviceFloor floor{arithmetic.first, chip.memory_bandwidth, ""};
    floor.source = arithmetic.first > 0
                       ? fmt::format("by the data sheet of {}: {} ({}), {}", chip.title, si_text(floor.flops, "FLOP/s"),
                                     arithmetic.second, si_text(floor.bytes_per_second, "B/s"))
                       : fmt::format("by the data sheet of {}: {}", chip.title, si_text(floor.bytes_per_second, "B/s"));
    return floor;
}

DeviceFloors data_sheet_floors(const std::string& device) {
    const Outcome<std::vector<Chip>> chips = known_chips();
    const Chip* chip = chips ? chip_of_device(*chips, device) : nullptr;
    if (chip == nullptr)
        return [device](Dtype) {
            return timing::DeviceFloor{0, 0, fmt::format("not known: Assay has no data sheet of {}", device)};
        };
    return [chip = *chip](Dtype storage) { return floor_of(chip, storage); };
}

Dtype storage_of(const Problem& problem) {
    for (const Field& field : problem.fields)
        if (const Array* array = std::get_if<Array>(&field.value); array != nullptr && is_floating(array->dtype))
            return array->dtype;
    return Dtype::f32;
}

double written_bytes(const Exercise& exercise, const Problem& problem) {
    double bytes = 0;
    for (const Signature& signature : exercise.signatures) {
        if (signature.name != problem.route) continue;
        for (const Parameter& parameter : signature.parameters)
            if (parameter.kind == Parameter::Kind::tensor && parameter.writable && problem.has(parameter.name)) {
                const Array& array = problem.array(parameter.name);
                bytes += static_cast<double>(array.size()) * static_cast<double>(size_of(array.dtype));
            }
    }
    return bytes;
}

} // namespace assay
