#include "roofline/cuda_session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace assay::roofline {

CudaSession::Context::~Context() {
    if (!taken_) return;
    driver_.context_set(nullptr);
    driver_.context_release(device_);
}

int CudaSession::Context::take() {
    void* context = nullptr;
    if (const int error = driver_.context_retain(&context, device_); error != cuda::success) return error;
    taken_ = true;
    return driver_.context_set(context);
}

CudaSession::CudaSession(const CudaDriver& driver, const Cublas& blas, int ordinal, HostClock clock)
    : driver_(driver), blas_(blas), ordinal_(ordinal), clock_(std::move(clock)), context_(driver_, device()),
      stream_(nullptr, driver_.stream_destroy), start_(nullptr, driver_.event_destroy),
      end_(nullptr, driver_.event_destroy), handle_(nullptr, blas_.destroy) {
    const int error = context_.take();
    if (error == cuda::device_unavailable)
        throw GpuFault{fmt::format("cuda:{} is taken by another process alone: wait for its end (nvidia-smi shows it), "
                                   "or measure another GPU",
                                   ordinal_)};
    check(error, "to open");
    void* made = nullptr;
    check(driver_.stream_create(&made, cuda::own_stream), "to make a stream");
    stream_.reset(std::exchange(made, nullptr));
    start_ = event();
    end_ = event();
    check_blas(blas_.create(&made), "to start");
    handle_.reset(made);
    check_blas(blas_.set_stream(handle_.get(), stream_.get()), "to take a stream");
}

int CudaSession::device() const {
    int device = 0;
    check(driver_.device(&device, ordinal_), "to be found");
    return device;
}

CudaHandle CudaSession::event() const {
    void* made = nullptr;
    check(driver_.event_create(&made, 0), "to make an event");
    return {made, driver_.event_destroy};
}

void CudaSession::check(int error, std::string_view doing) const {
    if (error == cuda::success) return;
    if (error == cuda::out_of_memory)
        throw GpuFault{fmt::format("cuda:{} has too little memory {}: end what else runs on it (nvidia-smi shows it)",
                                   ordinal_, doing),
                       true};
    const char* name = nullptr;
    if (driver_.error_name(error, &name) != cuda::success || name == nullptr) name = "an error without a name";
    throw GpuFault{fmt::format("cuda:{} fails {} ({}, {}): see what nvidia-smi says of it, and measure again", ordinal_,
                               doing, name, error)};
}

void CudaSession::check_blas(int status, std::string_view doing) const {
    if (status == cuda::success) return;
    const std::string library = blas_.library.native();
    switch (status) {
    case cuda::blas_alloc_failed:
        throw GpuFault{fmt::format("cuBLAS finds too little memory on cuda:{} {}: end what else runs on it (nvidia-smi "
                                   "shows it)",
                                   ordinal_, doing),
                       true};
    case cuda::blas_not_initialised:
    case cuda::blas_arch:
    case cuda::blas_unsupported:
        throw GpuFault{fmt::format("{} does not serve cuda:{} ({}, status {}): install a cuBLAS as new as the GPU, and "
                                   "a driver as new as cuBLAS",
                                   library, ordinal_, doing, status)};
    default:
        throw GpuFault{fmt::format("{} fails on cuda:{} {} (status {}): see what nvidia-smi says of it, and measure "
                                   "again",
                                   library, ordinal_, doing, status)};
    }
}

void CudaSession::wait() const { check(driver_.stream_wait(stream()), "to finish its work"); }

GpuTime CudaSession::time(const std::function<void()>& job) const {
    GpuTime time;
    const double before = clock_();
    check(driver_.event_record(start_.get(), stream()), "to record an event");
    job();
    check(driver_.event_record(end_.get(), stream()), "to record an event");
    check(driver_.event_wait(end_.get()), "to finish its work");
    time.host = clock_() - before;
    float milliseconds = 0;
    check(driver_.event_elapsed(&milliseconds, start_.get(), end_.get()), "to tell the time");
    time.events = static_cast<double>(milliseconds) / 1e3;
    return time;
}

CudaHandle CudaSession::pinned(std::int64_t bytes) const {
    void* made = nullptr;
    if (driver_.allocate_host(&made, static_cast<std::size_t>(bytes), 0) != cuda::success)
        throw GpuFault{
            fmt::format("this machine does not give {} MiB of pinned memory: free memory of its own, or raise "
                        "the limit of locked memory (ulimit -l)",
                        bytes >> 20),
            true};
    return {made, driver_.free_host};
}

CudaSession::Memory::Memory(const CudaSession& session, std::int64_t bytes) : session_(session), bytes_(bytes) {
    session_.check(session_.driver_.allocate(&at_, static_cast<std::size_t>(bytes)),
                   fmt::format("for a buffer of {} MiB", bytes >> 20));
}

void CudaSession::Memory::fill(const RandomValues& values) const {
    const auto period = static_cast<std::int64_t>(values.size());
    std::int64_t filled = std::min(bytes_, period);
    session_.check(session_.driver_.to_device(at(), values.data(), static_cast<std::size_t>(filled), session_.stream()),
                   "to be filled");
    while (filled < bytes_) { // whole periods until the last piece
        const std::int64_t piece = std::min(bytes_ - filled, filled);
        session_.check(session_.driver_.copy(at(filled), at(), static_cast<std::size_t>(piece), session_.stream()),
                       "to be filled");
        filled += piece;
    }
    session_.wait(); // `values` may go
}

void CudaSession::Memory::fill(unsigned word) const {
    session_.check(session_.driver_.set(at(), word, static_cast<std::size_t>(bytes_ / 4), session_.stream()),
                   "to be filled");
    session_.wait();
}

void CudaSession::Memory::read(void* to, std::int64_t from, std::size_t bytes) const {
    session_.check(session_.driver_.from_device(to, at(from), bytes, session_.stream()), "to be read");
}

} // namespace assay::roofline
