// Memory for timed work: whole pages straight from the system, large ones where it has them, zeroed.
#ifndef ASSAY_ROOFLINE_BUFFER_HPP
#define ASSAY_ROOFLINE_BUFFER_HPP

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace assay::roofline {

class Buffer {
  public:
    /// `count` floats; throws std::bad_alloc.
    explicit Buffer(long count) : bytes_(static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(float)) {
        void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) throw std::bad_alloc();
        data_ = static_cast<float*>(at);
        madvise(at, bytes_, MADV_HUGEPAGE); // fewer misses of the address cache; a refusal changes nothing
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { munmap(data_, bytes_); }

    float* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_;
    float* data_ = nullptr;
};

} // namespace assay::roofline

#endif
