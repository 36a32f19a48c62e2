// A libcuda.so.1 for tests on machines without a GPU: answers what the device probe asks, and nothing else.
// ASSAY_STAND_IN=none has it show no device, =broken has it not start.
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

std::string_view mood() {
    const char* value = std::getenv("ASSAY_STAND_IN");
    return value != nullptr ? value : "";
}

constexpr int success = 0, invalid_value = 1, no_device = 100, unknown = 999;

} // namespace

extern "C" {
int cuInit(unsigned) { return mood() == "none" ? no_device : mood() == "broken" ? unknown : success; }
int cuDeviceGetCount(int* count) {
    *count = 2;
    return success;
}
int cuDeviceGet(int* device, int ordinal) {
    *device = 40 + ordinal; // a handle is no ordinal
    return success;
}
int cuDeviceGetName(char* name, int length, int device) {
    if (device != 40) return invalid_value; // the second one does not answer
    std::snprintf(name, static_cast<std::size_t>(length), "Stand-in GPU");
    return success;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (device != 40) return invalid_value;
    *value = attribute == 75 ? 9 : 0; // compute capability 9.0
    return success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{8} << 30;
    return success;
}
}
