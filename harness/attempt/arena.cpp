#include "attempt/arena.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

namespace assay {

namespace {

constexpr auto canary = std::byte{0xc3};

/// Quiet NaNs with payloads that no arithmetic makes; for integers and flags, bytes that no honest answer is likely to
/// hold.
std::uint64_t poison_bits(Dtype dtype, int which) {
    switch (dtype) {
    case Dtype::f32: return which == 0 ? 0x7fd5a5a5u : 0x7fdb3c3cu;
    case Dtype::f64: return which == 0 ? 0x7ffd5a5a5a5a5a5au : 0x7ffdb3c3c3c3c3c3u;
    case Dtype::f16: return which == 0 ? 0x7ea5u : 0x7ebcu;
    case Dtype::bf16: return which == 0 ? 0x7fd5u : 0x7fdbu;
    case Dtype::boolean: return which == 0 ? 0xa5u : 0xbcu;
    case Dtype::i32: return which == 0 ? 0xa5a5a5a5u : 0xbc3c3c3cu;
    case Dtype::i64: return which == 0 ? 0xa5a5a5a5a5a5a5a5u : 0xbc3c3c3c3c3c3c3cu;
    }
    return 0;
}

std::int64_t round_up(std::int64_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

Finding finding_on(FindingKind kind, const std::string& tensor) {
    Finding finding;
    finding.kind = kind;
    finding.tensor = tensor;
    return finding;
}

/// For each element from the first to the last reachable: whether an index reaches it (false = a stride gap).
std::vector<bool> reachable(const Array& array) {
    std::vector<bool> reached(static_cast<std::size_t>(array.reach() - array.offset), false);
    for_each_index(array.extents, [&](const Index& index) {
        std::int64_t element = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) element += index[axis] * array.strides[axis];
        reached[static_cast<std::size_t>(element)] = true;
    });
    return reached;
}

} // namespace

Outcome<std::unique_ptr<Arena>> Arena::make(std::size_t bytes) {
    std::unique_ptr<Arena> arena(new Arena);
    arena->bytes_ = static_cast<std::size_t>(round_up(static_cast<std::int64_t>(bytes)));
    arena->descriptor_ = ::memfd_create("assay-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (arena->descriptor_ < 0 || ::ftruncate(arena->descriptor_, static_cast<off_t>(arena->bytes_)) != 0 ||
        ::fcntl(arena->descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return Failure{Verdict::JE, fmt::format("the memory shared with the worker could not be made ({}): free some "
                                                "memory or file descriptors and try again",
                                                std::strerror(errno))};
    void* mapped = ::mmap(nullptr, arena->bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, arena->descriptor_, 0);
    if (mapped == MAP_FAILED)
        return Failure{Verdict::JE,
                       fmt::format("the memory shared with the worker could not be mapped ({})", std::strerror(errno))};
    arena->base_ = static_cast<std::byte*>(mapped);
    std::random_device random;
    arena->key_ = std::uint64_t{random()} << 32 | random();
    return arena;
}

Arena::~Arena() {
    if (base_ != nullptr) ::munmap(base_, bytes_);
    if (descriptor_ >= 0) ::close(descriptor_);
}

void Arena::begin_call(int poison, bool flush_start) {
    tensors_.clear();
    next_ = 2 * page_bytes; // the control page and a guard
    poison_ = poison;
    flush_start_ = flush_start;
    control() = ControlPage{};
}

Outcome<Region> Arena::place(const std::string& name, const Array& array, Mode mode) {
    const auto element = static_cast<std::int64_t>(size_of(array.dtype));
    const std::int64_t bytes = (array.reach() - array.offset) * element;
    Region region;
    region.offset = next_;
    region.length = std::max(round_up(bytes), page_bytes);
    region.data = flush_start_ ? region.offset : region.offset + region.length - bytes;
    region.data_length = bytes;
    if (region.offset + region.length + page_bytes > static_cast<std::int64_t>(bytes_))
        return Failure{Verdict::JE, fmt::format("the tensors of one call do not fit the {} MiB shared with the worker",
                                                bytes_ >> 20)};
    next_ = region.offset + region.length + page_bytes;
    const auto first = static_cast<std::ptrdiff_t>(region.offset / page_bytes);
    touched_.resize(std::max(touched_.size(), static_cast<std::size_t>(next_ / page_bytes)));
    std::fill_n(touched_.begin() + first, region.length / page_bytes, true);

    std::byte* data = base_ + region.data;
    std::fill(base_ + region.offset, data, canary);
    std::fill(data + bytes, base_ + region.offset + region.length, canary);
    if (mode == Mode::out) {
        const std::uint64_t pattern = poison_bits(array.dtype, poison_);
        for (std::int64_t at = 0; at < bytes; at += element)
            std::memcpy(data + at, &pattern, static_cast<std::size_t>(element));
    } else if (bytes > 0) {
        std::memcpy(data, array.storage.data() + array.offset * element, static_cast<std::size_t>(bytes));
    }
    tensors_.push_back({name, &array, mode, region});
    return region;
}

std::int64_t Arena::touched_bytes() const { return std::count(touched_.begin(), touched_.end(), true) * page_bytes; }

std::uint64_t Arena::outputs_hash() const {
    std::uint64_t hash = key_;
    for (const Placed& tensor : tensors_) {
        if (tensor.mode == Mode::in) continue;
        const std::byte* data = base_ + tensor.region.data;
        const std::int64_t length = tensor.region.data_length;
        for (std::int64_t at = 0; at < length; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, data + at, static_cast<std::size_t>(std::min<std::int64_t>(8, length - at)));
            hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
    }
    return hash;
}

Array Arena::read(std::size_t index) const {
    const Placed& tensor = tensors_[index];
    Array result;
    result.dtype = tensor.array->dtype;
    result.extents = tensor.array->extents;
    result.strides = tensor.array->strides;
    const std::byte* data = base_ + tensor.region.data;
    result.storage.assign(data, data + tensor.region.data_length);
    return result;
}

bool Arena::canary_intact(const Placed& tensor) const {
    static const std::vector<std::byte> whole(static_cast<std::size_t>(page_bytes), canary);
    const Region& region = tensor.region;
    const std::byte* data = base_ + region.data;
    // Slack is less than a page on either side.
    const auto before = static_cast<std::size_t>(region.data - region.offset);
    const auto after = static_cast<std::size_t>(region.offset + region.length - region.data - region.data_length);
    return std::memcmp(base_ + region.offset, whole.data(), before) == 0 &&
           std::memcmp(data + region.data_length, whole.data(), after) == 0;
}

void Arena::inspect_one(const Placed& tensor, std::vector<Finding>& findings) const {
    const Array& array = *tensor.array;
    const std::size_t size = size_of(array.dtype);
    const std::byte* now = base_ + tensor.region.data;
    const auto bytes = static_cast<std::size_t>(tensor.region.data_length);
    const std::byte* before =
        bytes == 0 ? nullptr : array.storage.data() + static_cast<std::size_t>(array.offset) * size;

    Finding outside = finding_on(FindingKind::out_of_bounds, tensor.name);
    outside.note = fmt::format("bytes beside `{}` were written", tensor.name);
    if (!canary_intact(tensor)) findings.push_back(outside);
    if (tensor.mode == Mode::inout || bytes == 0) return;
    if (tensor.mode == Mode::in && std::memcmp(now, before, bytes) == 0) return;

    const std::uint64_t pattern = poison_bits(array.dtype, poison_);
    const auto untouched = [&](std::size_t element) {
        const void* was = tensor.mode == Mode::in ? static_cast<const void*>(before + element * size) : &pattern;
        return std::memcmp(now + element * size, was, size) == 0;
    };
    // Inputs should hold what they held, outputs should not; gaps between strides are nobody's to write.
    Finding finding =
        finding_on(tensor.mode == Mode::in ? FindingKind::mutated_input : FindingKind::unwritten_output, tensor.name);
    finding.total = array.size();
    const auto visit = [&](std::size_t element, const Index& index) {
        if (untouched(element) == (tensor.mode == Mode::in)) return;
        if (finding.wrong++ > 0) return;
        finding.where = index;
        finding.got = load(array.dtype, now + element * size);
        finding.expected = tensor.mode == Mode::in ? load(array.dtype, before + element * size) : 0;
    };
    for_each_index(array.extents, [&](const Index& index) {
        std::int64_t element = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) element += index[axis] * array.strides[axis];
        visit(static_cast<std::size_t>(element), index);
    });
    if (finding.wrong > 0) findings.push_back(finding);

    if (static_cast<std::int64_t>(bytes / size) == array.size()) return; // no gaps
    const std::vector<bool> reached = reachable(array);
    for (std::size_t element = 0; element < reached.size(); ++element)
        if (!reached[element] && !untouched(element)) {
            outside.note = fmt::format("memory between the strides of `{}` was written", tensor.name);
            findings.push_back(outside);
            return;
        }
}

std::vector<Finding> Arena::inspect() const {
    std::vector<Finding> findings;
    for (const Placed& tensor : tensors_) inspect_one(tensor, findings);
    return findings;
}

std::string Arena::describe(std::int64_t offset) const {
    // The page between two tensors guards both: the nearer one is meant.
    std::string nearest;
    std::int64_t least = 2 * page_bytes;
    for (const Placed& tensor : tensors_) {
        const Region& region = tensor.region;
        const std::int64_t end = region.data + region.data_length;
        if (offset >= region.offset + region.length && offset - end < least) {
            least = offset - end;
            nearest = fmt::format("{} bytes past the end of `{}`", least, tensor.name);
        }
        // Open to any code, but where a worker runs CUDA and has closed it.
        if (offset >= region.offset && offset < region.offset + region.length)
            return fmt::format("of `{}` from host code: only kernels and copies reach device memory", tensor.name);
        if (offset < region.offset && region.data - offset < least) {
            least = region.data - offset;
            nearest = fmt::format("{} bytes before the start of `{}`", least, tensor.name);
        }
    }
    return nearest;
}

} // namespace assay
