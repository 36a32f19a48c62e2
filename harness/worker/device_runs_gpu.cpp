// DeviceRuns on a real device. Tensors lie in one arena of its memory, 256 bytes apart or more, with guards around
// each; the second run has them shifted by an element, with other guards. Threads run as the device has them, so that a
// difference between the two is a race, or memory that nobody wrote. A call that is timed (device_clock.hpp) runs once,
// unshifted. Compiled with each attempt, by its nvcc.
#include "worker/device_runs.hpp"

#include "worker/device_clock.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace assay {

namespace {

constexpr std::size_t all_runs = 2;
constexpr std::size_t alignment = 256; // cudaMalloc's own
constexpr std::size_t guard = 4096;    // bytes that a kernel may stray into without meeting another tensor
constexpr unsigned char canaries[all_runs] = {0xa5, 0x5a};

struct Arena {
    unsigned char* data = nullptr;
    std::size_t bytes = 0;

    void hold(std::size_t wanted) {
        if (wanted <= bytes) return;
        if (data != nullptr) must(cudaFree(std::exchange(data, nullptr)), "given back its memory");
        bytes = 0;
        void* given = nullptr;
        must(cudaMalloc(&given, wanted), "asked for the memory of a call's tensors");
        data = static_cast<unsigned char*>(given);
        bytes = wanted;
    }
};
Arena arena; // kept from call to call

std::size_t rounded_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Where a run has each tensor, and how much all take with their guards.
std::size_t lay(const std::vector<DeviceTensor>& tensors, bool shifted, std::vector<std::size_t>& offsets) {
    std::size_t at = guard;
    offsets.clear();
    for (const DeviceTensor& tensor : tensors) {
        offsets.push_back(at + (shifted ? tensor.element : 0));
        at = rounded_up(offsets.back() + span_of(tensor)) + guard;
    }
    return at;
}

/// Throws device_fault where bytes around the tensors are no longer the canary.
void look_at_guards(const std::vector<unsigned char>& image, const std::vector<DeviceTensor>& tensors,
                    const std::vector<std::size_t>& offsets, unsigned char canary) {
    std::size_t from = 0;
    for (std::size_t i = 0; i <= tensors.size(); ++i) {
        const std::size_t to = i < tensors.size() ? offsets[i] : image.size();
        for (std::size_t at = from; at < to; ++at) {
            if (image[at] == canary) continue;
            const bool past = i > 0 && (i == tensors.size() || at - from < to - at);
            const DeviceTensor& nearest = tensors[past ? i - 1 : i];
            const std::size_t away = (past ? at - from : to - at - 1) / nearest.element + 1;
            throw device_fault("a kernel wrote to element " + std::to_string(away) +
                               (past ? " past the end of " : " before the start of ") + name_of(nearest) +
                               ": look at its indices");
        }
        if (i < tensors.size()) from = to + span_of(tensors[i]);
    }
}

} // namespace

DeviceRuns::DeviceRuns(std::vector<DeviceTensor> tensors) : tensors_(std::move(tensors)) {
    must(cudaSetDevice(0), "opened");
    for (const DeviceTensor& tensor : tensors_) before_.emplace_back(tensor.data, tensor.data + span_of(tensor));
}

DeviceRuns::~DeviceRuns() = default;

cudaStream_t DeviceRuns::stream() const {
    static const cudaStream_t only = [] {
        cudaStream_t made = nullptr;
        must(cudaStreamCreate(&made), "given a stream");
        return made;
    }();
    return only;
}

unsigned char* DeviceRuns::place(const void* data) const {
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        if (tensors_[i].data == data) return arena.data + offsets_[i];
    return nullptr;
}

bool DeviceRuns::next() {
    DeviceClock* const clock = DeviceClock::at_hand();
    if (run_ == (clock != nullptr ? 1 : all_runs)) return false;
    const std::size_t bytes = lay(tensors_, run_ == 1, offsets_);
    arena.hold(bytes);
    std::vector<unsigned char> image(bytes, canaries[run_]);
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        std::copy(before_[i].begin(), before_[i].end(), image.begin() + static_cast<std::ptrdiff_t>(offsets_[i]));
    must(cudaMemcpy(arena.data, image.data(), bytes, cudaMemcpyHostToDevice), "handed a call's tensors");
    stream(); // before the attempt's own time
    if (clock == nullptr) return true;
    // The way there and back: all of a turn but the call.
    clock->start(stream());
    must(clock->stop(stream()), "waited for");
    hand_over_outputs();
    clock->tell();
    clock->prepare();
    clock->start(stream());
    return true;
}

void DeviceRuns::finish() {
    DeviceClock* const clock = DeviceClock::at_hand();
    // The whole device: whatever stream the attempt has used.
    const cudaError_t waited = clock != nullptr ? clock->stop(stream()) : cudaDeviceSynchronize();
    const cudaError_t left = cudaGetLastError();
    const cudaError_t error = left != cudaSuccess ? left : waited;
    if (error != cudaSuccess && told(error).rfind("cudaErrorMisalignedAddress", 0) == 0)
        throw device_fault(told(error) + ": elements are aligned to their own size and no further");
    if (error != cudaSuccess)
        throw device_fault(told(error) + " was left by a kernel or a CUDA call: look at what each one returns, and at "
                                         "each kernel's indices");
    const std::size_t bytes = lay(tensors_, run_ == 1, offsets_);
    if (clock != nullptr) {
        hand_over_outputs(); // the judge's clock still runs: what is not done by now is no result
        clock->tell();
    }
    std::vector<unsigned char> image(bytes);
    must_still(cudaMemcpy(image.data(), arena.data, bytes, cudaMemcpyDeviceToHost), "its results could not be read");
    look_at_guards(image, tensors_, offsets_, canaries[run_]);
    // Inputs too, and what lies between the elements of a view: the judge compares both with what they were.
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        if (!before_[i].empty() && !(clock != nullptr && tensors_[i].writable))
            std::memcpy(tensors_[i].data, image.data() + offsets_[i], before_[i].size());
    if (clock != nullptr) {
        ++run_;
        return;
    }
    if (run_ == 0)
        for (const DeviceTensor& tensor : tensors_) first_.emplace_back(tensor.data, tensor.data + span_of(tensor));
    else
        compare();
    ++run_;
}

void DeviceRuns::hand_over_outputs() const {
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        if (tensors_[i].writable && !before_[i].empty())
            must_still(
                cudaMemcpy(tensors_[i].data, arena.data + offsets_[i], before_[i].size(), cudaMemcpyDeviceToHost),
                "its results could not be read");
}

void DeviceRuns::failed() const {}

void DeviceRuns::compare() const {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const DeviceTensor& tensor = tensors_[i];
        if (!tensor.writable || first_[i].empty()) continue;
        const double scale = largest(tensor, first_[i].data());
        each_element(tensor, [&](std::size_t at, const std::vector<std::ptrdiff_t>& index) {
            const double a = tensor.value(first_[i].data() + at), b = tensor.value(tensor.data + at);
            if (other_than_by_order(a, b, scale))
                throw device_fault(element_name(tensor, index) + " is " + number(a) + " once and " + number(b) +
                                   " another time, on the same inputs: a race, or memory that was read before anybody "
                                   "wrote it");
        });
    }
}

} // namespace assay
