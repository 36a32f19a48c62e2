// A GPU taken hold of: its context, a stream and cuBLAS's handle, memory that frees itself, and two clocks. Every
// call's answer is looked at, and throws a GpuFault where it is an error.
#ifndef ASSAY_ROOFLINE_CUDA_SESSION_HPP
#define ASSAY_ROOFLINE_CUDA_SESSION_HPP

#include "roofline/cuda_libraries.hpp"
#include "roofline/gpu.hpp"
#include "roofline/random_values.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace assay::roofline {

/// Seconds since whenever.
using HostClock = std::function<double()>;

/// What the driver or cuBLAS gave, and the function that takes it back.
using CudaHandle = std::unique_ptr<void, int (*)(void*)>;

class CudaSession {
  public:
    CudaSession(const CudaDriver& driver, const Cublas& blas, int ordinal, HostClock clock);

    const CudaDriver& driver() const { return driver_; }
    const Cublas& cublas() const { return blas_; }
    void* stream() const { return stream_.get(); }
    void* blas_handle() const { return handle_.get(); }

    /// `doing` ends the sentence "cuda:0 fails ...": "to copy".
    void check(int error, std::string_view doing) const;
    void check_blas(int status, std::string_view doing) const;

    void wait() const;
    /// By both clocks, from before `job` puts work on the stream until all of it is done.
    GpuTime time(const std::function<void()>& job) const;

    CudaHandle pinned(std::int64_t bytes) const;

    class Memory {
      public:
        Memory(const CudaSession& session, std::int64_t bytes);
        Memory(const Memory&) = delete;
        Memory& operator=(const Memory&) = delete;
        ~Memory() { session_.driver_.free(at_); }

        CudaDriver::Address at(std::int64_t byte = 0) const { return at_ + static_cast<CudaDriver::Address>(byte); }
        std::int64_t bytes() const { return bytes_; }
        void fill(const RandomValues& values) const;
        /// Every 32-bit word. The size is a multiple of 4.
        void fill(unsigned word) const;
        /// wait() before it is looked at.
        void read(void* to, std::int64_t from, std::size_t bytes) const;

      private:
        const CudaSession& session_;
        std::int64_t bytes_;
        CudaDriver::Address at_ = 0;
    };

  private:
    class Context {
      public:
        Context(const CudaDriver& driver, int device) : driver_(driver), device_(device) {}
        Context(const Context&) = delete;
        Context& operator=(const Context&) = delete;
        ~Context();
        int take(); // a CUresult

      private:
        const CudaDriver& driver_;
        int device_;
        bool taken_ = false;
    };

    CudaHandle event() const;
    int device() const;

    CudaDriver driver_;
    Cublas blas_;
    int ordinal_;
    HostClock clock_;
    Context context_; // what follows lies in it
    CudaHandle stream_, start_, end_, handle_;
};

} // namespace assay::roofline

#endif
