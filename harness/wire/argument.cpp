#include "wire/argument.hpp"

#include <stdexcept>

namespace assay {

namespace {

struct Kept {
    void* object = nullptr;
    void (*destroy)(void*) = nullptr;
};
std::vector<Kept> objects; // by handle; a destroyed one's place stays empty, so that a stale handle finds nothing

} // namespace

std::int64_t keep_object(void* object, void (*destroy)(void*)) {
    if (object == nullptr) throw std::invalid_argument("it returned a null pointer where an object is due");
    objects.push_back({object, destroy});
    return static_cast<std::int64_t>(objects.size()) - 1;
}

void* find_object(Reader& reader) {
    const std::int64_t handle = reader.integer(0, std::numeric_limits<std::int64_t>::max());
    if (!reader.ok()) return nullptr;
    if (handle < static_cast<std::int64_t>(objects.size()))
        if (void* object = objects[static_cast<std::size_t>(handle)].object) return object;
    reader.fail("no object has this handle");
    return nullptr;
}

void destroy_object(void (*)(), Reader& reader, const ArenaView&, Writer&) {
    Reader& message = reader;
    void* object = find_object(message);
    if (object == nullptr) return;
    for (Kept& kept : objects)
        if (kept.object == object) {
            kept.object = nullptr;
            kept.destroy(object);
        }
}

std::byte* read_tensor(Reader& reader, const ArenaView& arena, Dtype dtype, std::span<std::int64_t> extents,
                       std::span<std::int64_t> strides) {
    constexpr std::int64_t most = std::int64_t{1} << 40; // bytes or elements; products below stay under 2^63 by checks
    const auto named = static_cast<Dtype>(reader.integer(0, dtype_count - 1));
    const std::int64_t rank = reader.integer(0, 16);
    const std::int64_t offset = reader.integer(0, most);
    if (reader.ok() && named != dtype) reader.fail("a tensor has another element type than the contract's");
    if (reader.ok() && rank != static_cast<std::int64_t>(extents.size()))
        reader.fail("a tensor has another rank than the contract's");
    for (std::int64_t& extent : extents) extent = reader.integer(0, most);
    for (std::int64_t& stride : strides) stride = reader.integer(0, most);
    if (!reader.ok()) return nullptr;

    const auto size = static_cast<std::int64_t>(size_of(dtype));
    bool empty = false;
    std::int64_t last = 0; // elements from the first to the last
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        if (extents[axis] == 0)
            empty = true;
        else if (strides[axis] > 0 && extents[axis] - 1 > (most - last) / strides[axis]) {
            reader.fail("a tensor reaches beyond the arena");
            return nullptr;
        } else
            last += (extents[axis] - 1) * strides[axis];
    }
    const std::int64_t bytes = empty ? 0 : (last + 1) * size;
    for (const Region& region : arena.regions)
        if (offset >= region.data && bytes <= region.data_length &&
            offset - region.data <= region.data_length - bytes && offset % size == 0)
            return arena.base + offset;
    reader.fail("a tensor lies outside the call's memory");
    return nullptr;
}

} // namespace assay
