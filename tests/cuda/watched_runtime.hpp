// The emulated runtime's calls that a timed call makes, noted in their order: the linker puts these in their place
// (--wrap, in CMakeLists.txt). The events' clock is made up.
#ifndef ASSAY_TESTS_CUDA_WATCHED_RUNTIME_HPP
#define ASSAY_TESTS_CUDA_WATCHED_RUNTIME_HPP

#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace watched {

inline std::vector<std::string> calls;
inline float elapsed_milliseconds = 0;
inline cudaError_t elapsed_error = cudaSuccess;

inline void note(const char* call) { calls.emplace_back(call); }

/// "flush wait flush wait" is as often as it takes: told once.
inline std::string story() {
    std::string text;
    for (const std::string& call : calls) text += (text.empty() ? "" : " ") + call;
    const std::string pair = " flush wait";
    for (std::size_t at = text.find(pair + pair); at != std::string::npos; at = text.find(pair + pair))
        text.erase(at, pair.size());
    return text;
}

} // namespace watched

// Of cudaX, by its mangled name: __real_ is the runtime's own.
#define ASSAY_WATCHED(mangled, parameters, arguments, before)                                                          \
    extern "C" cudaError_t __real_##mangled parameters;                                                                \
    extern "C" cudaError_t __wrap_##mangled parameters {                                                               \
        before;                                                                                                        \
        return __real_##mangled arguments;                                                                             \
    }

ASSAY_WATCHED(_Z15cudaEventRecordP10CUevent_stP11CUstream_st, (cudaEvent_t event, cudaStream_t stream), (event, stream),
              watched::note("record"))
ASSAY_WATCHED(_Z21cudaDeviceSynchronizev, (), (), watched::note("wait"))
ASSAY_WATCHED(_Z10cudaMemsetPvim, (void* pointer, int value, std::size_t bytes), (pointer, value, bytes),
              watched::note("flush"))
ASSAY_WATCHED(_Z29cudaCtxResetPersistingL2Cachev, (), (), watched::note("reset"))
ASSAY_WATCHED(_Z18cudaDeviceSetLimit9cudaLimitm, (cudaLimit limit, std::size_t value), (limit, value),
              watched::note("limit"))
ASSAY_WATCHED(_Z10cudaMemcpyPvPKvm14cudaMemcpyKind,
              (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind), (to, from, bytes, kind),
              watched::note(kind == cudaMemcpyHostToDevice   ? "in"
                            : kind == cudaMemcpyDeviceToHost ? "out"
                                                             : "keep"))

extern "C" cudaError_t __real__Z20cudaEventElapsedTimePfP10CUevent_stS1_(float*, cudaEvent_t, cudaEvent_t);
extern "C" cudaError_t __wrap__Z20cudaEventElapsedTimePfP10CUevent_stS1_(float* milliseconds, cudaEvent_t from,
                                                                         cudaEvent_t to) {
    const cudaError_t error = __real__Z20cudaEventElapsedTimePfP10CUevent_stS1_(milliseconds, from, to);
    *milliseconds = watched::elapsed_milliseconds;
    return watched::elapsed_error != cudaSuccess ? watched::elapsed_error : error;
}

#endif
