// A stack that can be left and gone on with: boost.context's switch, told to AddressSanitizer where that is loaded.
#ifndef ASSAY_SIMT_FIBER_HPP
#define ASSAY_SIMT_FIBER_HPP

#include <cstddef>

namespace assay::simt {

class Fiber {
  public:
    /// The stack that calls this: what others come back to.
    Fiber() = default;
    /// A stack of its own on which `main` runs once it is switched to; `main` never returns. Throws std::bad_alloc.
    explicit Fiber(void (*main)());
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Leaves `from`, which must be the running one, and goes on with this. Returns when somebody switches to `from`.
    void go_on(Fiber& from);
    /// Forgets whatever stood on the stack: the next switch starts `main` anew. Nothing is destroyed.
    void start_over();
    /// Whether `address` lies in the page below the stack, which every overflow hits first.
    bool guards(const void* address) const;
    /// Whether `address` lies on the stack.
    bool holds(const void* address) const;

  private:
    friend struct Entry;
    void (*main_)() = nullptr;
    void* context_ = nullptr;
    char* mapping_ = nullptr;      // with its guard page
    const void* bottom_ = nullptr; // what the sanitiser is told
    std::size_t size_ = 0;
    void* fake_stack_ = nullptr;
};

} // namespace assay::simt

#endif
