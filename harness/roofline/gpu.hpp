// What measuring asks of a GPU: an interface, so that the measuring can be tested with GPUs that are made up.
#ifndef ASSAY_ROOFLINE_GPU_HPP
#define ASSAY_ROOFLINE_GPU_HPP

#include <cstdint>
#include <memory>
#include <string>

namespace assay::roofline {

/// How a matrix product multiplies; all add up in float32.
enum class Precision { fp32, tf32, fp16, bf16 };

enum class Transfer {
    copy,       // device memory to device memory
    set,        // device memory written, nothing read
    to_device,  // from pinned host memory
    from_device // to pinned host memory
};

/// The dtype's name in data/hardware.toml.
const char* name_of(Precision precision);
/// "copy", "set", "to-device", "from-device".
const char* name_of(Transfer transfer);
/// Of a matrix element in memory.
int bytes_of(Precision precision);

struct GpuFacts {
    std::string name; // the driver's: "NVIDIA H200"
    int ordinal = 0;
    int major = 0, minor = 0; // compute capability
    int processors = 0;       // streaming multiprocessors
    std::int64_t memory_bytes = 0;
    std::int64_t l2_bytes = 0; // 0 = not told
    std::string driver;        // the newest CUDA that it runs: "13.0"
    std::string blas;          // cuBLAS: "13.1.0"
};

/// Thrown by what implements these interfaces.
struct GpuFault {
    std::string sentence; // what, where, how to mend it
    bool out_of_memory = false;
};

/// The same work by two clocks, seconds.
struct GpuTime {
    double events = 0; // the device's
    double host = 0;
};

/// Work laid out on the device, whose memory goes away with it.
class GpuWork {
  public:
    GpuWork() = default;
    GpuWork(const GpuWork&) = delete;
    GpuWork& operator=(const GpuWork&) = delete;
    virtual ~GpuWork() = default;

    /// `count` times in a row, and waits for the end. Throws GpuFault.
    virtual GpuTime run(int count) = 0;
    /// How far what the last run left is off the truth, by a sample of it. Of a product of depth n: the root of the
    /// mean square of (is - should be), over sqrt(n) times that of a product of two elements; a result that has nothing
    /// to do with its inputs comes to about 1. Of a transfer: the share of words that are wrong. Throws GpuFault.
    virtual double error() = 0;
};

class Gpu {
  public:
    Gpu() = default;
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;
    virtual ~Gpu() = default;

    virtual const GpuFacts& facts() const = 0;
    /// Bytes of its memory that nobody has taken. Throws GpuFault.
    virtual std::int64_t free_bytes() = 0;
    /// n by n matrices of pseudo-random numbers, 2 n^3 FLOP a run. Throws GpuFault.
    virtual std::unique_ptr<GpuWork> product(Precision precision, std::int64_t n) = 0;
    /// `bytes`, a multiple of 4, a run; of pseudo-random content but for `set`. Throws GpuFault.
    virtual std::unique_ptr<GpuWork> transfer(Transfer transfer, std::int64_t bytes) = 0;
};

} // namespace assay::roofline

#endif
