// A buffer on the device between two guards that nobody may write to.
#ifndef ASSAY_TESTS_GPU_GUARDED_HPP
#define ASSAY_TESTS_GPU_GUARDED_HPP

#include "case.hpp"
#include "checked.hpp"

#include <algorithm>

namespace assay::gpu {

/// Every two bytes of what nobody wrote: a NaN as half, bfloat16 and float.
inline constexpr std::uint16_t unwritten = 0xffe5;

template <class T> class Guarded {
  public:
    /// An input: `content`, which must still be there at the end.
    Guarded(const char* name, const std::vector<T>& content) : name_(name), content_(content), input_(true) {
        upload();
    }
    /// An output, or room: unwritten.
    Guarded(const char* name, std::size_t count) : name_(name), content_(count) {
        static_assert(sizeof(T) % 2 == 0);
        fill(reinterpret_cast<unsigned char*>(content_.data()), count * sizeof(T));
        upload();
    }
    ~Guarded() { static_cast<void>(cudaFree(memory_)); } // after a failed kernel it fails as well
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    T* data() { return reinterpret_cast<T*>(memory_ + guard); }
    std::size_t size() const { return content_.size(); }
    /// What was put there.
    const std::vector<T>& content() const { return content_; }
    void put(const std::vector<T>& content) {
        kernels::checked(cudaMemcpy(data(), content.data(), bytes(), cudaMemcpyHostToDevice), name_);
        content_ = content;
    }

    /// What is there now. Tells `outcome` of a guard or an input that was written to.
    std::vector<T> read(Outcome& outcome) const {
        std::vector<unsigned char> all(bytes() + 2 * guard), expected(guard);
        kernels::checked(cudaMemcpy(all.data(), memory_, all.size(), cudaMemcpyDeviceToHost), name_);
        fill(expected.data(), guard);
        if (!std::equal(expected.begin(), expected.end(), all.begin()))
            outcome.complain(std::string(name_) + " was written to before its begin");
        if (!std::equal(expected.begin(), expected.end(), all.end() - guard))
            outcome.complain(std::string(name_) + " was written to past its end");
        std::vector<T> values(content_.size());
        if (!values.empty()) std::memcpy(values.data(), all.data() + guard, bytes());
        if (input_ && !values.empty() && std::memcmp(values.data(), content_.data(), bytes()) != 0)
            outcome.complain(std::string(name_) + " is an input and was changed");
        return values;
    }

  private:
    static constexpr std::ptrdiff_t guard = 1024; // keeps cudaMalloc's alignment
    const char* name_;
    std::vector<T> content_;
    bool input_ = false;
    unsigned char* memory_ = nullptr;

    std::size_t bytes() const { return content_.size() * sizeof(T); }
    static void fill(unsigned char* to, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i)
            to[i] = static_cast<unsigned char>(i % 2 == 0 ? unwritten & 0xff : unwritten >> 8);
    }
    void upload() {
        std::vector<unsigned char> all(bytes() + 2 * guard);
        fill(all.data(), guard);
        fill(all.data() + all.size() - guard, guard);
        if (!content_.empty()) std::memcpy(all.data() + guard, content_.data(), bytes());
        kernels::checked(cudaMalloc(reinterpret_cast<void**>(&memory_), all.size()), name_);
        kernels::checked(cudaMemcpy(memory_, all.data(), all.size(), cudaMemcpyHostToDevice), name_);
    }
};

} // namespace assay::gpu

#endif
