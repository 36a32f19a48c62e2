// A GPU for tests on machines without one: libcuda.so.1 and cuBLAS in one library, which computes on the CPU what is
// looked at and tells a made-up GPU's times. Its clock stands still but for the time that the work would take;
// preloaded it is the whole process's CLOCK_MONOTONIC. cuda:0 goes by the name of an H100, cuda:1 is a Turing.
//
// ASSAY_STAND_IN holds a word of what is to go wrong: none, broken, old (a driver for CUDA 10.2), middle (for 12.4),
// taken, little (another process takes what was free), tiny, drift (events tell half), no-events, wrong (products),
// fp32-only (no TF32), unpinned, lost (copies stop short), no-blas, launch (cuBLAS fails), sticky (copies fail).
#include <algorithm>
#include <assay/half.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <time.h>

namespace {

bool mood(std::string_view word) {
    const char* value = std::getenv("ASSAY_STAND_IN");
    return value != nullptr && word == value;
}

constexpr int success = 0, invalid_value = 1, out_of_memory = 2, unavailable = 46, no_device = 100, launch_failed = 719;
constexpr std::uint64_t mib = 1 << 20;
constexpr double launch = 2e-6, to_start = 5e-6; // of the host's time, of the device's

struct State {
    double host = 1000, device = 1000; // seconds
    std::map<std::uint64_t, std::size_t> memory, pinned;
    std::uint64_t taken = 0;
    int live = 0; // contexts, streams, events, handles
    int current = -1;
    std::uint64_t last[3] = {}; // what was moved: to, from, bytes
    struct {
        int op_a = 0, op_b = 0, n = 0, lda = 0, ldb = 0, ldc = 0, type = 0, compute = 0;
        std::uint64_t a = 0, b = 0, c = 0;
    } product; // the last one
};

State& state() {
    static State one;
    return one;
}

std::uint64_t capacity() { return mood("tiny") ? mib : mood("little") ? 40 * mib : 64 * mib; }

/// `seconds` of work for the device, behind what it has to do.
void work(double seconds) {
    State& s = state();
    s.host += launch;
    s.device = std::max(s.device, s.host) + seconds;
}

void wait() {
    state().host = std::max(state().host, state().device) + to_start;
    if (mood("drift")) state().host += 20e-3; // the driver lost sight of it
}

float element(std::uint64_t base, int type, std::uint64_t index, bool tf32) {
    if (type == 0) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, reinterpret_cast<const void*>(base + 4 * index), 4);
        if (tf32) bits = (bits + 0x1000) & ~0x1fffu; // ten bits of mantissa, rounded
        float value = 0;
        std::memcpy(&value, &bits, 4);
        return value;
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(base + 2 * index), 2);
    return type == 2 ? float(assay::half::from_bits(bits)) : float(assay::bfloat16::from_bits(bits));
}

/// Products are made when somebody looks, element by element.
void look(std::uint64_t address, std::size_t bytes) {
    const auto& p = state().product;
    const std::uint64_t width = p.type == 0 ? 4 : 2;
    if (p.c == 0 || address < p.c ||
        address >= p.c + width * static_cast<std::uint64_t>(p.ldc) * static_cast<std::uint64_t>(p.n))
        return;
    for (std::uint64_t at = address; at < address + bytes; at += width) {
        const std::uint64_t index = (at - p.c) / width, n = static_cast<std::uint64_t>(p.n);
        const std::uint64_t row = index % static_cast<std::uint64_t>(p.ldc),
                            column = index / static_cast<std::uint64_t>(p.ldc);
        const bool transpose_a = (p.op_a == 1) != mood("wrong");
        const bool tf32 = p.compute == 77 && !mood("fp32-only");
        const auto lda = static_cast<std::uint64_t>(p.lda), ldb = static_cast<std::uint64_t>(p.ldb);
        float sum = 0;
        for (std::uint64_t k = 0; k < n; ++k)
            sum += element(p.a, p.type, transpose_a ? k + row * lda : row + k * lda, tf32) *
                   element(p.b, p.type, p.op_b == 1 ? column + k * ldb : k + column * ldb, tf32);
        auto* to = reinterpret_cast<void*>(at);
        if (p.type == 0) {
            std::memcpy(to, &sum, 4);
        } else {
            const std::uint16_t bits = p.type == 2 ? assay::half(sum).bits() : assay::bfloat16(sum).bits();
            std::memcpy(to, &bits, 2);
        }
    }
}

/// Whether it is other work than the last, of which a repetition changes nothing and is not done.
bool anew(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
    auto& last = state().last;
    if (last[0] == to && last[1] == from && last[2] == bytes) return false;
    last[0] = to, last[1] = from, last[2] = bytes;
    return true;
}

int move(std::uint64_t to, std::uint64_t from, std::size_t bytes, double rate) {
    if (mood("sticky")) return launch_failed;
    const std::size_t arrive = mood("lost") && bytes > 4096 ? bytes / 2 : bytes;
    if (anew(to, from, bytes)) std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), arrive);
    work(static_cast<double>(bytes) / rate);
    return success;
}

/// A token that is not null.
void* made(void** to) {
    ++state().live;
    return *to = std::malloc(16);
}

int unmade(void* one) {
    --state().live;
    std::free(one);
    return success;
}

} // namespace

extern "C" {
double assay_stand_in_seconds() { return state().host; }
/// What was taken and not given back.
int assay_stand_in_live() {
    return state().live + static_cast<int>(state().memory.size()) + static_cast<int>(state().pinned.size());
}
int clock_gettime(clockid_t clock, timespec* to) {
    (void)clock;
    to->tv_sec = static_cast<time_t>(state().host);
    to->tv_nsec = static_cast<long>((state().host - std::floor(state().host)) * 1e9);
    return 0;
}

int cuInit(unsigned) { return mood("none") ? no_device : mood("broken") ? 999 : success; }
int cuDriverGetVersion(int* version) {
    *version = mood("old") ? 10020 : mood("middle") ? 12040 : 13000;
    return success;
}
int cuGetErrorName(int error, const char** name) {
    *name = error == launch_failed ? "CUDA_ERROR_LAUNCH_FAILED" : nullptr;
    return *name != nullptr ? success : invalid_value;
}
int cuDeviceGetCount(int* count) {
    *count = 2;
    return success;
}
int cuDeviceGet(int* device, int ordinal) {
    *device = 40 + ordinal; // a handle is no ordinal
    return ordinal < 2 ? success : 101;
}
int cuDeviceGetName(char* name, int length, int device) {
    std::snprintf(name, static_cast<std::size_t>(length), "%s",
                  device == 40 ? "NVIDIA H100 80GB HBM3" : "Stand-in of Turing");
    return success;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    const bool hopper = device == 40;
    switch (attribute) {
    case 16: *value = hopper ? 132 : 40; return success;
    case 38: *value = 1 << 20; return success;
    case 75: *value = hopper ? 9 : 7; return success;
    case 76: *value = hopper ? 0 : 5; return success;
    default: return invalid_value;
    }
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = capacity();
    return success;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
    if (mood("taken")) return unavailable;
    ++state().live;
    *context = &state();
    state().current = device;
    return success;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
    if (device != state().current) return invalid_value;
    --state().live;
    return success;
}
int cuCtxSetCurrent(void*) { return success; }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
    *all = capacity();
    *free = mood("little") ? 64 * mib : capacity() - state().taken;
    return success;
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
    State& s = state();
    if (s.taken + bytes > capacity()) return out_of_memory;
    void* at = std::malloc(bytes);
    *address = reinterpret_cast<std::uint64_t>(at);
    s.memory[*address] = bytes;
    s.taken += bytes;
    return success;
}
int cuMemFree_v2(std::uint64_t address) {
    State& s = state();
    const auto at = s.memory.find(address);
    if (at == s.memory.end()) return invalid_value;
    s.taken -= at->second;
    s.memory.erase(at);
    if (s.product.c == address) s.product.c = 0;
    std::free(reinterpret_cast<void*>(address));
    return success;
}
int cuMemHostAlloc(void** to, std::size_t bytes, unsigned) {
    if (mood("unpinned")) return out_of_memory;
    *to = std::malloc(bytes);
    state().pinned[reinterpret_cast<std::uint64_t>(*to)] = bytes;
    return success;
}
int cuMemFreeHost(void* at) {
    if (state().pinned.erase(reinterpret_cast<std::uint64_t>(at)) == 0) return invalid_value;
    std::free(at);
    return success;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
    return move(to, reinterpret_cast<std::uint64_t>(from), bytes, 50e9);
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
    if (bytes <= 4) look(from, bytes);
    return move(reinterpret_cast<std::uint64_t>(to), from, bytes, 40e9);
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
    return move(to, from, bytes, 1.5e12); // 3 TB/s, read and written
}
int cuMemsetD32Async(std::uint64_t to, unsigned word, std::size_t words, void*) {
    auto* at = reinterpret_cast<std::uint32_t*>(to);
    if (anew(to, word, words)) std::fill(at, at + words, word);
    work(static_cast<double>(4 * words) / 3.2e12);
    return success;
}
int cuStreamCreate(void** stream, unsigned) { return made(stream) != nullptr ? success : out_of_memory; }
int cuStreamDestroy_v2(void* stream) { return unmade(stream); }
int cuStreamSynchronize(void*) {
    wait();
    return success;
}
int cuEventCreate(void** event, unsigned) { return made(event) != nullptr ? success : out_of_memory; }
int cuEventDestroy_v2(void* event) { return unmade(event); }
int cuEventRecord(void* event, void*) {
    const double now = std::max(state().host, state().device);
    std::memcpy(event, &now, sizeof now);
    return success;
}
int cuEventSynchronize(void*) {
    wait();
    return success;
}
int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
    double from = 0, to = 0;
    std::memcpy(&from, start, sizeof from);
    std::memcpy(&to, end, sizeof to);
    *milliseconds = mood("no-events") ? 0 : static_cast<float>((to - from) * 1e3);
    return success;
}

int cublasCreate_v2(void** handle) {
    if (mood("no-blas")) return 1;
    return made(handle) != nullptr ? success : 3;
}
int cublasDestroy_v2(void* handle) { return unmade(handle); }
int cublasGetVersion_v2(void*, int* version) {
    *version = 130100;
    return success;
}
int cublasSetStream_v2(void*, void* stream) { return stream != nullptr ? success : 7; }
int cublasGemmEx(void*, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a, int type_a, int lda,
                 const void* b, int type_b, int ldb, const void* beta, void* c, int type_c, int ldc, int compute, int) {
    float one = 0, zero = 1;
    std::memcpy(&one, alpha, 4);
    std::memcpy(&zero, beta, 4);
    if (m != n || k != n || type_a != type_b || type_a != type_c || one != 1 || zero != 0) return 7;
    if (mood("launch")) return 13;
    const bool tensor_cores = type_a != 0 || (compute == 77 && !mood("fp32-only"));
    const double peak = !tensor_cores ? 50e12 : type_a == 0 ? 400e12 : 800e12;
    const double filled = n < 2048 ? 0.5 : 1; // too small a product leaves SMs idle
    state().product = {op_a,
                       op_b,
                       n,
                       lda,
                       ldb,
                       ldc,
                       type_a,
                       compute,
                       reinterpret_cast<std::uint64_t>(a),
                       reinterpret_cast<std::uint64_t>(b),
                       reinterpret_cast<std::uint64_t>(c)};
    work(2 * std::pow(n, 3) / (peak * filled));
    return success;
}
}
