// jump_fcontext is boost.context's own switch: 22 to 27 ns, where its fiber class adds an allocation a start.
#include "fiber.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <dlfcn.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace assay::simt {

namespace context = boost::context::detail;

namespace {

/// AddressSanitizer's functions where it is loaded: it must know on which stack we are. One build serves both.
struct Sanitiser {
    void (*start)(void** fake_stack, const void* bottom, std::size_t size);
    void (*finish)(void* fake_stack, const void** old_bottom, std::size_t* old_size);
    void (*unpoison)(const volatile void* address, std::size_t size);

    Sanitiser() {
        find(start, "__sanitizer_start_switch_fiber");
        find(finish, "__sanitizer_finish_switch_fiber");
        find(unpoison, "__asan_unpoison_memory_region");
    }
    template <class F> static void find(F& function, const char* name) {
        function = reinterpret_cast<F>(::dlsym(RTLD_DEFAULT, name));
    }
};

const Sanitiser& sanitiser() {
    static const Sanitiser found;
    return found;
}

/// A kernel's local arrays lie here; redzones need room of their own.
std::size_t stack_bytes() { return sanitiser().start != nullptr ? 512 << 10 : 128 << 10; }
std::size_t page() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

struct Switch {
    Fiber* from;
    Fiber* to;
};

} // namespace

struct Entry {
    /// On the new stack, before anything else: where we came from can be gone back to.
    static void arrived(context::transfer_t transfer) {
        const Switch step = *static_cast<Switch*>(transfer.data);
        step.from->context_ = transfer.fctx;
        if (sanitiser().finish == nullptr) return;
        const void* bottom = nullptr;
        std::size_t size = 0;
        sanitiser().finish(step.to->fake_stack_, &bottom, &size);
        if (step.from->mapping_ == nullptr) {
            step.from->bottom_ = bottom;
            step.from->size_ = size;
        }
    }

    static void begin(context::transfer_t transfer) {
        void (*main)() = static_cast<Switch*>(transfer.data)->to->main_;
        arrived(transfer);
        main();
    }
};

Fiber::Fiber(void (*main)()) : main_(main) {
    size_ = stack_bytes();
    void* mapped =
        ::mmap(nullptr, size_ + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    mapping_ = static_cast<char*>(mapped);
    ::mprotect(mapping_, page(), PROT_NONE);
    bottom_ = mapping_ + page();
    start_over();
}

Fiber::~Fiber() {
    if (mapping_ != nullptr) ::munmap(mapping_, size_ + page());
}

void Fiber::start_over() {
    if (sanitiser().unpoison != nullptr) sanitiser().unpoison(bottom_, size_); // redzones of frames that never return
    fake_stack_ = nullptr;
    context_ = context::make_fcontext(mapping_ + page() + size_, size_, Entry::begin);
}

void Fiber::go_on(Fiber& from) {
    Switch step{&from, this};
    if (sanitiser().start != nullptr) sanitiser().start(&from.fake_stack_, bottom_, size_);
    Entry::arrived(context::jump_fcontext(context_, &step));
}

bool Fiber::guards(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return mapping_ != nullptr && at >= mapping_ && at < mapping_ + page();
}

bool Fiber::holds(const void* address) const {
    const char* at = static_cast<const char*>(address);
    return mapping_ != nullptr && at >= mapping_ && at < mapping_ + page() + size_;
}

} // namespace assay::simt
