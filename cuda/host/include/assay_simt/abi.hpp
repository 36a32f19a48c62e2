// What rewritten attempts and the headers beside this one call in the runtime. Plain types only: attempt and runtime
// may be built by different compilers.
#ifndef ASSAY_SIMT_ABI_HPP
#define ASSAY_SIMT_ABI_HPP

#include "vector_types.hpp"

#include <cstddef>

// Each thread's own: the runtime sets them whenever it goes on with another thread. A thread sees them constant, which
// lets the compiler keep them across calls.
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
inline constexpr int warpSize = 32;

namespace assay::simt {

/// A place in the attempt's source. As a default argument it is the caller's: braces alone, since g++ takes the
/// declaration's place for Where{...} in templates.
struct Where {
    const char* file;
    int line;
};
#define ASSAY_SIMT_HERE                                                                                                \
    { __builtin_FILE(), __builtin_LINE() }

/// Every two bytes of memory that nobody wrote. Read as half, bfloat16, float or double it is a quiet NaN, and x86
/// arithmetic hands its bits on; as an index it is far outside of everything.
inline constexpr unsigned short poison = 0xffe5;
/// The other one, which a maximum does not pass over: 61280 as half, 1.3e36 as bfloat16 and float. What comes out
/// otherwise with it hangs on memory that nobody wrote.
inline constexpr unsigned short loud_poison = 0x7b7b;
/// The one of the two that is in use.
unsigned short poison_in_use();

/// A launch's configuration, kept until the kernel's own call takes it.
void configure(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes, void* stream, Where where);

struct Kernel {
    const char* name;
    void (*run)(const void* captured); // one thread of it; also tells kernels apart
    const void* captured;              // copies of the arguments
    char* shared_begin;                // the attempt's section of __shared__ variables
    char* shared_end;
};
void launch(const Kernel& kernel);

/// Where every block's dynamic shared memory begins.
void* dynamic_shared();

void barrier(Where where);
enum class Vote { count, all, any };
int barrier_vote(Vote vote, int predicate, Where where);

/// Lanes of a warp meet: each hands in its slot, and the last to arrive calls `finish` with the slots of all that did
/// (bit i of `lanes` = slots[i] is there). `mask` names who must come; lanes that returned are not waited for.
/// Lanes meet where mask and `finish` agree.
struct Meeting {
    const char* operation; // "__shfl_down_sync", as messages name it
    unsigned mask;
    void* slot;
    void (*finish)(void* const* slots, unsigned lanes);
    Where where;
};
void meet(const Meeting& meeting);
/// Told by `finish` when `lane` asked for the value of `source`, which is not there.
void inactive_source(unsigned lane, unsigned source, const char* operation, unsigned mask, Where where);
unsigned lane();

/// After an atomic that changed nothing: a thread that spins lets the others go on.
void spinning(Where where);
/// After one that changed something: spinning gets somewhere.
void progressed();
[[noreturn]] void trap(Where where);
/// What CUDA leaves undefined: ends the launch with a finding whose sentence is `what`, then the place.
void undefined(const char* kind, const char* what, Where where);
long long ticks();

} // namespace assay::simt

#endif
