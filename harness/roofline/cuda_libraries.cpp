#include "roofline/cuda_libraries.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

namespace assay::roofline {

namespace fs = std::filesystem;

namespace {

/// Finds functions by name, and remembers the first that is missing.
class Finder {
  public:
    explicit Finder(void* library) : library_(library) {}
    template <class Function> void operator()(const char* name, Function*& function) {
        function = reinterpret_cast<Function*>(::dlsym(library_, name));
        if (function == nullptr && missing_.empty()) missing_ = name;
    }
    const std::string& missing() const { return missing_; }

  private:
    void* library_;
    std::string missing_;
};

/// Where `library` was found.
fs::path path_of(void* library) {
    link_map* map = nullptr;
    return ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? fs::path(map->l_name) : fs::path();
}

void* open(const std::string& name) { return ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); }

void* open(const CublasPlaces& places, int major) {
    const std::string name = places.stem + std::to_string(major);
    if (void* library = open(name)) return library;
    for (const fs::path& folder : places.folders)
        if (void* library = open((folder / name).native())) return library;
    return nullptr;
}

} // namespace

Outcome<CudaDriver> open_driver(const std::string& name) {
    void* library = open(name);
    if (library == nullptr)
        return Failure{Verdict::SKIP, "there is no GPU to measure, for there is no CUDA driver (libcuda.so.1): "
                                      "install NVIDIA's, or measure this processor with --device cpu"};
    CudaDriver driver;
    Finder find(library);
    find("cuInit", driver.init);
    find("cuDriverGetVersion", driver.driver_version);
    find("cuGetErrorName", driver.error_name);
    find("cuDeviceGetCount", driver.device_count);
    find("cuDeviceGet", driver.device);
    find("cuDeviceGetName", driver.device_name);
    find("cuDeviceGetAttribute", driver.device_attribute);
    find("cuDeviceTotalMem_v2", driver.device_memory);
    find("cuDevicePrimaryCtxRetain", driver.context_retain);
    find("cuDevicePrimaryCtxRelease_v2", driver.context_release);
    find("cuCtxSetCurrent", driver.context_set);
    find("cuMemGetInfo_v2", driver.memory_info);
    find("cuMemAlloc_v2", driver.allocate);
    find("cuMemFree_v2", driver.free);
    find("cuMemHostAlloc", driver.allocate_host);
    find("cuMemFreeHost", driver.free_host);
    find("cuMemcpyHtoDAsync_v2", driver.to_device);
    find("cuMemcpyDtoHAsync_v2", driver.from_device);
    find("cuMemcpyDtoDAsync_v2", driver.copy);
    find("cuMemsetD32Async", driver.set);
    find("cuStreamCreate", driver.stream_create);
    find("cuStreamDestroy_v2", driver.stream_destroy);
    find("cuStreamSynchronize", driver.stream_wait);
    find("cuEventCreate", driver.event_create);
    find("cuEventDestroy_v2", driver.event_destroy);
    find("cuEventRecord", driver.event_record);
    find("cuEventSynchronize", driver.event_wait);
    find("cuEventElapsedTime", driver.event_elapsed);
    if (!find.missing().empty())
        return Failure{Verdict::SKIP,
                       fmt::format("the CUDA driver here is older than CUDA {} ({} has no {}): update it",
                                   oldest_cublas, path_of(library).native(), find.missing())};
    constexpr int no_device = 100;
    const int error = driver.init(0);
    if (error == no_device)
        return Failure{Verdict::SKIP,
                       "the CUDA driver shows no GPU (see nvidia-smi -L and CUDA_VISIBLE_DEVICES): measure where "
                       "there is one"};
    if (error != cuda::success)
        return Failure{Verdict::SKIP, fmt::format("the CUDA driver does not start (error {}): see what nvidia-smi says "
                                                  "of it",
                                                  error)};
    if (driver.driver_version(&driver.version) != cuda::success)
        return Failure{Verdict::SKIP, "the CUDA driver does not tell its version: update it"};
    return driver;
}

Outcome<Cublas> open_cublas(const CublasPlaces& places, int driver_version) {
    const std::string runs = fmt::format("{}.{}", driver_version / 1000, driver_version % 1000 / 10);
    if (driver_version / 1000 < oldest_cublas)
        return Failure{Verdict::SKIP,
                       fmt::format("the driver runs CUDA up to {}, and cuBLAS of CUDA {} to {} is measured "
                                   "with: update the driver",
                                   runs, oldest_cublas, newest_cublas)};
    const int newest = std::min(newest_cublas, driver_version / 1000); // a driver runs all of its major, and older ones
    for (int major = newest; major >= oldest_cublas; --major) {
        void* library = open(places, major);
        if (library == nullptr) continue;
        Cublas blas;
        blas.library = path_of(library);
        blas.major = major;
        Finder find(library);
        find("cublasCreate_v2", blas.create);
        find("cublasDestroy_v2", blas.destroy);
        find("cublasGetVersion_v2", blas.version_of);
        find("cublasSetStream_v2", blas.set_stream);
        find("cublasGemmEx", blas.gemm);
        if (find.missing().empty()) return blas;
        return Failure{Verdict::SKIP, fmt::format("{} has no {}: install cuBLAS of CUDA {} again",
                                                  blas.library.native(), find.missing(), major)};
    }
    for (int major = newest_cublas; major > newest; --major)
        if (open(places, major) != nullptr)
            return Failure{Verdict::SKIP,
                           fmt::format("cuBLAS here is CUDA {}'s, and the driver runs CUDA up to {}: update "
                                       "the driver, or install CUDA {}'s cuBLAS",
                                       major, runs, newest)};
    return Failure{Verdict::SKIP,
                   fmt::format("there is no cuBLAS ({}{} to {}) here: install CUDA's toolkit, or name its libraries' "
                               "folder in LD_LIBRARY_PATH",
                               fs::path(places.stem).filename().native(), oldest_cublas, newest_cublas)};
}

} // namespace assay::roofline
