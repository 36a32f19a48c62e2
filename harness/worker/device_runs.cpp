#include "worker/device_runs.hpp"

#include "host/simt.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace assay {

namespace {

struct Run {
    std::uint64_t order; // lane_order.hpp
    unsigned short poison;
    bool interrupts; // before writes
    const char* how;
};
/// The second differs from the first in its poison alone. The last one's answer is the one that is judged.
constexpr Run runs[] = {
    {0, simt::poison, false, "in the order of their numbers"},
    {0, simt::loud_poison, false, ""},
    {1, simt::poison, false, "shuffled"},
    {3, simt::poison, true, "shuffled and interrupted before writes"},
    {2, simt::poison, false, "warp by warp, the warps shuffled"},
};

/// The tensors of the call under way. Each lies in pages of its own.
std::vector<DeviceTensor>* tensors_at_hand = nullptr;

void open_memory(bool open) {
    if (tensors_at_hand == nullptr) return;
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (const DeviceTensor& tensor : *tensors_at_hand) {
        const auto begin = reinterpret_cast<std::uintptr_t>(tensor.data), end = begin + span_of(tensor);
        const std::uintptr_t first = begin / page * page, last = (end + page - 1) / page * page;
        if (end > begin)
            ::mprotect(reinterpret_cast<void*>(first), last - first, open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
}

/// What the judge shows beside a failure, each sentence once: of launches that went on, or whose end an attempt's own
/// exit() would hide.
void print_findings() {
    static std::vector<std::string>& told = *new std::vector<std::string>; // this runs at exit as well
    for (const simt::Finding& finding : simt::findings()) {
        if (std::find(told.begin(), told.end(), finding.sentence) != told.end()) continue;
        told.push_back(finding.sentence);
        std::fprintf(stderr, "%s\n", finding.sentence.c_str());
    }
}

/// A finding after which a launch went on, as the end of a sentence.
std::string suspicion() {
    for (const simt::Finding& finding : simt::findings())
        if (!finding.ended_launch) return "; " + finding.sentence;
    return "";
}

} // namespace

DeviceRuns::DeviceRuns(std::vector<DeviceTensor> tensors) : tensors_(std::move(tensors)) {
    [[maybe_unused]] static const int registered = std::atexit(print_findings);
    for (const DeviceTensor& tensor : tensors_) before_.emplace_back(tensor.data, tensor.data + span_of(tensor));
    tensors_at_hand = &tensors_;
    simt::set_memory_gate(open_memory);
}

DeviceRuns::~DeviceRuns() {
    open_memory(true);
    simt::set_memory_gate(nullptr);
    tensors_at_hand = nullptr;
}

cudaStream_t DeviceRuns::stream() const {
    static const cudaStream_t only = [] {
        cudaStream_t made = nullptr;
        cudaStreamCreate(&made);
        return made;
    }();
    return only;
}

unsigned char* DeviceRuns::place(const void* data) const {
    return static_cast<unsigned char*>(const_cast<void*>(data));
}

bool DeviceRuns::next() {
    if (run_ == std::size(runs)) return false;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        if (!before_[i].empty()) std::memcpy(tensors_[i].data, before_[i].data(), before_[i].size());
    simt::forget_failures();
    for (const DeviceTensor& tensor : tensors_) simt::add_device_memory(tensor.data, span_of(tensor));
    simt::set_order(runs[run_].order);
    simt::set_poison(runs[run_].poison);
    simt::set_interrupting(runs[run_].interrupts);
    open_memory(false);
    return true;
}

void DeviceRuns::finish() {
    open_memory(true);
    // The stream's work first, as a caller would wait for it; every emulated call is complete when it returns.
    const cudaError_t waited = cudaDeviceSynchronize();
    const cudaError_t left = cudaGetLastError();
    simt::check_guards();
    look_at_findings();
    const cudaError_t error = left != cudaSuccess ? left : waited;
    if (error != cudaSuccess) {
        const std::string name = std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
        if (!simt::refusal().empty()) throw device_fault(name + " was left: " + simt::refusal());
        throw device_fault(name + " was left by a CUDA call: look at what each one returns");
    }
    if (run_ == 0)
        for (const DeviceTensor& tensor : tensors_) first_.emplace_back(tensor.data, tensor.data + span_of(tensor));
    else
        compare();
    unfreed_.push_back(simt::used().unfreed);
    if (++run_ < std::size(runs)) return;
    look_for_leak();
    print_findings();
}

/// More after each run of the same call: nothing that is kept for the next one grows so.
void DeviceRuns::look_for_leak() const {
    if (std::adjacent_find(unfreed_.begin(), unfreed_.end(), std::greater_equal<>()) == unfreed_.end())
        throw device_fault("memory from cudaMalloc is lost at every call, " +
                           std::to_string(simt::used().unfreed_bytes) + " bytes after " +
                           std::to_string(unfreed_.size()) + " times: cudaFree what is not kept for the next one");
}

void DeviceRuns::failed() const {
    look_at_findings();
    if (simt::refusal().empty()) return;
    throw device_fault(simt::refusal());
}

/// Those that ended a launch, and writes out of bounds; the others went on with poison, which compare() looks for.
void DeviceRuns::look_at_findings() const {
    for (const simt::Finding& finding : simt::findings())
        if (finding.ended_launch || finding.kind == "overrun") throw device_fault(finding.sentence);
}

void DeviceRuns::compare() const {
    const bool by_poison = runs[run_].poison != runs[0].poison;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const DeviceTensor& tensor = tensors_[i];
        if (!tensor.writable || first_[i].empty()) continue;
        if (std::memcmp(tensor.data, first_[i].data(), first_[i].size()) == 0) continue;
        const double scale = largest(tensor, first_[i].data());
        each_element(tensor, [&](std::size_t at, const std::vector<std::ptrdiff_t>& index) {
            const unsigned char *one = first_[i].data() + at, *other = tensor.data + at;
            if (std::memcmp(one, other, tensor.element) == 0) return;
            const double a = tensor.value(one), b = tensor.value(other);
            if (by_poison)
                throw device_fault(
                    element_name(tensor, index) +
                    " came out of memory that nobody had written: __shared__ memory, what cudaMalloc gave, or a lane "
                    "that takes no part in a shuffle was read before it was written" +
                    suspicion());
            if (other_than_by_order(a, b, scale))
                throw device_fault("a race: " + element_name(tensor, index) + " is " + number(a) +
                                   " where threads run " + runs[0].how + " and " + number(b) + " where they run " +
                                   runs[run_].how +
                                   ": a thread reads what another one writes, without a __syncthreads() between them "
                                   "or an atomic" +
                                   suspicion());
        });
    }
}

} // namespace assay
