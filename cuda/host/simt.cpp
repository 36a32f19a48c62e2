// The emulation's state, and its face to whoever runs an attempt.
#include "simt.hpp"

#include "block.hpp"
#include "device.hpp"

#include <bit>
#include <cstdlib>

namespace assay::simt {

Device& device() {
    static Device& only = *new Device; // never destroyed: findings are told even as a program exits
    return only;
}

cudaError Device::record(cudaError error) {
    if (error != cudaSuccess) last = error;
    return error;
}

void set_order(std::uint64_t seed) { device().seed = seed; }
void set_poison(unsigned short pattern) { device().poison = pattern; }

void add_device_memory(const void* begin, std::size_t bytes) {
    device().arenas[static_cast<const char*>(begin)] = bytes;
}

void set_memory_gate(void (*gate)(bool open)) { device().gate = gate; }

const std::vector<Finding>& findings() { return device().findings.all(); }

Use used() {
    Use use = device().use;
    use.switches = Block::switches();
    use.unfreed = device().allocations.size();
    for (const auto& [begin, allocation] : device().allocations) use.unfreed_bytes += allocation.bytes;
    return use;
}

void reset() {
    Device& state = device();
    for (const auto& [begin, allocation] : state.allocations) std::free(const_cast<char*>(begin));
    const std::uint64_t seed = state.seed;
    state = Device{};
    state.seed = seed;
}

void forget_failures() {
    Device& state = device();
    state.findings.clear();
    state.last = state.sticky = cudaSuccess;
    state.pending.reset();
    state.refusal.clear();
    state.arenas.clear();
}

const std::string& refusal() { return device().refusal; }

void check_guards() {
    for (const auto& [begin, allocation] : device().allocations)
        if (!check_guard(begin, allocation)) return;
}

bool is_stack_overflow(const void* address) { return Block::in_stack_guard(address); }

bool is_poison(float value) {
    constexpr std::uint32_t pattern = std::uint32_t{poison} << 16 | poison;
    return std::bit_cast<std::uint32_t>(value) == pattern;
}

namespace {

FindingView view(unsigned long long index) {
    const Finding& finding = findings()[index];
    return {finding.kind.c_str(), finding.sentence.c_str(),    finding.file.c_str(), finding.kernel.c_str(),
            finding.line,         finding.ended_launch ? 1 : 0};
}

} // namespace

} // namespace assay::simt

extern "C" {
const assay::simt::Control assay_simt_control = {
    [](unsigned long long seed) { assay::simt::set_order(seed); },
    [](const void* begin, unsigned long long bytes) { assay::simt::add_device_memory(begin, bytes); },
    []() -> unsigned long long { return assay::simt::findings().size(); },
    [](unsigned long long index) { return assay::simt::view(index); },
    [](const void* address) { return assay::simt::is_stack_overflow(address) ? 1 : 0; },
    [] { assay::simt::reset(); },
};
}
