#include "roofline/gpu.hpp"

namespace assay::roofline {

const char* name_of(Precision precision) {
    switch (precision) {
    case Precision::fp32: return "fp32";
    case Precision::tf32: return "tf32";
    case Precision::fp16: return "fp16";
    case Precision::bf16: return "bf16";
    }
    return "";
}

const char* name_of(Transfer transfer) {
    switch (transfer) {
    case Transfer::copy: return "copy";
    case Transfer::set: return "set";
    case Transfer::to_device: return "to-device";
    case Transfer::from_device: return "from-device";
    }
    return "";
}

int bytes_of(Precision precision) { return precision == Precision::fp16 || precision == Precision::bf16 ? 2 : 4; }

} // namespace assay::roofline
