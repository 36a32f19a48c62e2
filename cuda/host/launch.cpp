// A launch: its configuration checked as the real API checks it, shared memory laid out and poisoned, blocks run in
// order.
#include "block.hpp"
#include "builtins.hpp"
#include "device.hpp"

#include <chrono>
#include <dlfcn.h>

extern "C" __attribute__((visibility("hidden"))) char assay_static_canary[];

namespace assay::simt {

namespace {

constexpr std::size_t canary = 256;
alignas(1024) char dynamic_memory[shared_opt_in + canary];

/// The attempt is linked before the runtime, so that this lies right behind its __shared__ variables: written in
/// assembler, since compilers align arrays, and a small overrun would end in the gap.
asm(".pushsection assay_shared,\"aw\",@progbits\n"
    ".globl assay_static_canary\n"
    ".hidden assay_static_canary\n"
    "assay_static_canary: .zero 256\n"
    ".popsection\n");
static_assert(canary == 256);

/// Why a launch does not run, with the numbers that were asked for.
std::string refusal_of(cudaError error, const Configuration& wanted, const Kernel& kernel) {
    const auto three = [](dim3 d) {
        return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
    };
    const std::string launch = std::string(kernel.name) + ", launched in " + place(wanted.where);
    if (error == cudaErrorInvalidConfiguration)
        return launch + " as a grid of " + three(wanted.grid) + " blocks of " + three(wanted.block) +
               " threads, does not run: every extent is at least 1, and a block has at most 1024 threads";
    if (error == cudaErrorInvalidValue)
        return launch + " with " + std::to_string(wanted.dynamic_shared) +
               " bytes of dynamic shared memory, does not run: " + std::to_string(shared_default) +
               " are allowed, and up to " + std::to_string(shared_opt_in) +
               " after cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)";
    if (error == cudaErrorInvalidResourceHandle) return launch + ", does not run: its fourth argument is no stream";
    return "";
}

cudaError check(const Configuration& wanted, const Kernel& kernel) {
    const dim3 grid = wanted.grid, block = wanted.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > most_grid_x || grid.y > most_grid_yz ||
        grid.z > most_grid_yz)
        return cudaErrorInvalidConfiguration;
    if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > most_threads || block.y > most_threads ||
        block.z > most_block_z || block.x * block.y * block.z > most_threads)
        return cudaErrorInvalidConfiguration;
    const auto limit = device().dynamic_limits.find(kernel.run);
    // Too much shared memory is an invalid value, not an invalid configuration.
    if (wanted.dynamic_shared > (limit == device().dynamic_limits.end() ? shared_default : limit->second))
        return cudaErrorInvalidValue;
    if (wanted.stream != nullptr && device().handles.count(wanted.stream) == 0) return cudaErrorInvalidResourceHandle;
    return cudaSuccess;
}

/// AddressSanitizer's own functions, where it is loaded.
class DynamicShared {
  public:
    explicit DynamicShared(std::size_t bytes) : bytes_(bytes) {
        using Mark = void (*)(const volatile void*, std::size_t);
        if (const auto mark = reinterpret_cast<Mark>(::dlsym(RTLD_DEFAULT, "__asan_poison_memory_region")))
            mark(dynamic_memory + bytes, sizeof dynamic_memory - bytes);
    }
    ~DynamicShared() {
        using Mark = void (*)(const volatile void*, std::size_t);
        if (const auto mark = reinterpret_cast<Mark>(::dlsym(RTLD_DEFAULT, "__asan_unpoison_memory_region")))
            mark(dynamic_memory, sizeof dynamic_memory);
    }
    DynamicShared(const DynamicShared&) = delete;
    DynamicShared& operator=(const DynamicShared&) = delete;

    void begin_block() const { fill(dynamic_memory, end() + (is_sanitised() ? 0 : canary), device().poison); }
    bool overrun() const { return !is_sanitised() && !is_filled(end(), end() + canary, device().poison); }

  private:
    std::size_t bytes_;

    // Poison begins at an even byte, whatever the size.
    char* end() const { return dynamic_memory + bytes_ + bytes_ % 2; }
};

void refuse(const char* kind, std::string sentence, Where where, const char* kernel) {
    device().findings.add({kind, std::move(sentence), where.file, where.line, kernel, true});
}

bool run_blocks(const Kernel& kernel, const Configuration& wanted) {
    const LaneOrder order(device().seed);
    const DynamicShared dynamic(wanted.dynamic_shared);
    Block block(kernel, wanted.block, order, device().findings);
    const dim3 grid = wanted.grid;
    const std::uint64_t count = std::uint64_t{grid.x} * grid.y * grid.z;
    set_extents(grid, wanted.block);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t number = order.block(i, count);
        fill(kernel.shared_begin, kernel.shared_end, device().poison);
        fill(assay_static_canary, assay_static_canary + canary, device().poison);
        dynamic.begin_block();
        if (!block.run({static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                        static_cast<unsigned>(number / grid.x / grid.y)}))
            return false;
        if (dynamic.overrun()) {
            refuse("overrun",
                   std::string(kernel.name) + ", launched in " + place(wanted.where) + " with " +
                       std::to_string(wanted.dynamic_shared) +
                       " bytes of dynamic shared memory, writes past their end: pass as many as the kernel uses",
                   wanted.where, kernel.name);
            return false;
        }
        if (!is_sanitised() && !is_filled(assay_static_canary, assay_static_canary + canary, device().poison)) {
            refuse("overrun",
                   std::string(kernel.name) + ", launched in " + place(wanted.where) +
                       ", writes past the end of a __shared__ array",
                   wanted.where, kernel.name);
            return false;
        }
        device().use.threads += std::uint64_t{wanted.block.x} * wanted.block.y * wanted.block.z;
    }
    return true;
}

} // namespace

// Not a sanitiser's business: they go over the redzones between __shared__ variables as well.
__attribute__((no_sanitize("address"))) void fill(char* begin, const char* end, unsigned short pattern) {
    for (std::size_t i = 0; begin != end; ++i, ++begin)
        *begin = static_cast<char>(i % 2 == 0 ? pattern & 0xff : pattern >> 8);
}

__attribute__((no_sanitize("address"))) bool is_filled(const char* begin, const char* end, unsigned short pattern) {
    for (std::size_t i = 0; begin != end; ++i, ++begin)
        if (*begin != static_cast<char>(i % 2 == 0 ? pattern & 0xff : pattern >> 8)) return false;
    return true;
}

bool is_sanitised() {
    static const bool loaded = ::dlsym(RTLD_DEFAULT, "__asan_poison_memory_region") != nullptr;
    return loaded;
}

unsigned short poison_in_use() { return device().poison; }

void* dynamic_shared() { return dynamic_memory; }

void configure(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes, void* stream, Where where) {
    if (Block* running = Block::running())
        running->fail("nested-launch",
                      "a kernel launches another in " + place(where) +
                          ": the CPU emulation has no dynamic parallelism; launch from the host",
                      where);
    device().pending = Configuration{grid, block, dynamic_shared_bytes, stream, where};
}

void launch(const Kernel& kernel) {
    Device& state = device();
    if (state.identifying) {
        state.identified = kernel.run;
        return;
    }
    if (Block* running = Block::running())
        running->fail("nested-launch", std::string("kernel ") + kernel.name + " is called from a kernel",
                      {kernel.name, 0});
    const std::optional<Configuration> wanted = std::exchange(state.pending, std::nullopt);
    if (!wanted) {
        refuse("unconfigured",
               std::string("kernel ") + kernel.name + " is called like a function: launch it with <<<grid, block>>>",
               {kernel.name, 0}, kernel.name);
        state.record(cudaErrorLaunchFailure);
        return;
    }
    if (state.sticky != cudaSuccess) {
        state.record(state.sticky);
        return;
    }
    if (const cudaError error = check(*wanted, kernel); error != cudaSuccess) {
        state.refusal = refusal_of(error, *wanted, kernel);
        state.record(error);
        return;
    }
    ++state.use.launches;
    const OpenMemory open;
    if (!run_blocks(kernel, *wanted)) {
        state.sticky = cudaErrorLaunchFailure;
        state.record(state.sticky);
    }
}

Identity identify(void (*call)(void*), void* context) {
    device().identifying = true;
    device().identified = nullptr;
    call(context);
    device().identifying = false;
    return device().identified;
}

cudaError_t set_attribute(Identity kernel, cudaFuncAttribute attribute, int value) {
    if (kernel == nullptr) return device().record(cudaErrorInvalidDeviceFunction);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return device().record(cudaSuccess);
    if (value < 0 || static_cast<std::size_t>(value) > shared_opt_in) return device().record(cudaErrorInvalidValue);
    device().dynamic_limits[kernel] = static_cast<std::size_t>(value);
    return device().record(cudaSuccess);
}

// What kernels call. Outside of one there is nobody to wait for.

void barrier(Where where) {
    if (Block* block = Block::running()) block->barrier(where);
}
int barrier_vote(Vote vote, int predicate, Where where) {
    Block* block = Block::running();
    return block != nullptr ? block->barrier_vote(vote, predicate, where) : predicate;
}
void meet(const Meeting& meeting) {
    if (Block* block = Block::running()) block->meet(meeting);
}
void inactive_source(unsigned lane, unsigned source, const char* operation, unsigned mask, Where where) {
    Block::running()->inactive_source(lane, source, operation, mask, where);
}
unsigned lane() {
    const Block* block = Block::running();
    return block != nullptr ? block->lane() : 0;
}
void spinning(Where where) {
    if (Block* block = Block::running()) block->spin(where);
}
void progressed() {
    if (Block* block = Block::running()) block->progressed();
}
void trap(Where where) {
    if (Block* block = Block::running()) block->fail("trap", "__trap() in " + place(where) + " was reached", where);
    __builtin_trap(); // the host's own call: as with any other
}
void undefined(const char* kind, const char* what, Where where) {
    if (Block* block = Block::running()) block->fail(kind, std::string(what) + ", in " + place(where), where);
}
long long ticks() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace assay::simt
