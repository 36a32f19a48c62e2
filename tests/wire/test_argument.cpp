// The worker follows no pointer that a message gives it without having checked where it leads.
#include "catch.hpp"
#include "core/random.hpp"
#include "wire/argument.hpp"

#include <array>
#include <limits>

using namespace assay;

namespace {

struct Sent {
    std::int64_t dtype = 0, rank = 2, offset = 4096;
    std::int64_t extents[2] = {3, 4};
    std::int64_t strides[2] = {4, 1};
};

std::byte memory[3 * 4096];
constexpr Region region{4096, 4096, 4096, 48}; // 12 floats

std::string refusal(const Sent& sent, std::byte** first = nullptr) {
    Writer writer;
    for (const std::int64_t number :
         {sent.dtype, sent.rank, sent.offset, sent.extents[0], sent.extents[1], sent.strides[0], sent.strides[1]})
        writer.integer(number);
    Reader reader(writer.bytes());
    std::array<std::int64_t, 2> extents{}, strides{};
    std::byte* at = read_tensor(reader, ArenaView{memory, std::span(&region, 1)}, Dtype::f32, extents, strides);
    if (first != nullptr) *first = at;
    return reader.error();
}

int calls = 0;
void callee(tensor<const float, 2> x, optional<float> scale, bool flag, int count) {
    ++calls;
    CHECK(x.extent(1) == 4);
    CHECK(scale.value_or(9) == 9);
    CHECK(flag);
    CHECK(count == -3);
}

} // namespace

TEST_CASE("a tensor within its region is accepted, at its place") {
    std::byte* first = nullptr;
    CHECK(refusal({}, &first).empty());
    CHECK(first == memory + 4096);
    CHECK(refusal({0, 2, 4096, {0, 1000}, {1000, 1}}).empty());            // no element, no reach
    CHECK(refusal({0, 2, 4096, {1000000, 12}, {0, 1}}).empty());           // stride 0 repeats
    CHECK(refusal({0, 2, 4096 + 44, {1, 1}, {1 << 30, 1 << 30}}).empty()); // the last element
}

TEST_CASE("a tensor that leaves its region, or is not the contract's, is refused") {
    CHECK_FALSE(refusal({1}).empty());                           // element type
    CHECK_FALSE(refusal({0, 3}).empty());                        // rank
    CHECK_FALSE(refusal({0, 2, 4096, {3, 5}}).empty());          // one element too far
    CHECK_FALSE(refusal({0, 2, 4096 + 4}).empty());              // shifted out
    CHECK_FALSE(refusal({0, 2, 4096 + 2, {1, 1}}).empty());      // misaligned
    CHECK_FALSE(refusal({0, 2, 0}).empty());                     // the control page
    CHECK_FALSE(refusal({0, 2, -4096}).empty());                 // negative
    CHECK_FALSE(refusal({0, 2, 4096, {-1, 4}}).empty());         // negative extent
    CHECK_FALSE(refusal({0, 2, 4096, {3, 4}, {-4, 1}}).empty()); // negative stride
    constexpr std::int64_t huge = std::int64_t{1} << 40;
    CHECK_FALSE(refusal({0, 2, 4096, {huge, huge}, {huge, huge}}).empty()); // products overflow
    CHECK_FALSE(refusal({0, 2, 4096, {std::numeric_limits<std::int64_t>::max(), 1}}).empty());
}

TEST_CASE("random descriptions never point outside the region") {
    Random random(2, "tensor");
    int accepted = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Sent sent;
        sent.offset = random.integer(4000, 4200);
        for (std::int64_t& extent : sent.extents) extent = random.integer(0, 5);
        for (std::int64_t& stride : sent.strides) stride = random.integer(0, 6);
        std::byte* first = nullptr;
        if (!refusal(sent, &first).empty()) continue;
        ++accepted;
        if (sent.extents[0] == 0 || sent.extents[1] == 0) continue;
        const std::int64_t last = (sent.extents[0] - 1) * sent.strides[0] + (sent.extents[1] - 1) * sent.strides[1];
        REQUIRE(sent.offset >= region.data);
        REQUIRE(sent.offset + 4 * (last + 1) <= region.data + region.data_length);
    }
    CHECK(accepted > 100);
}

TEST_CASE("a call is made only with exactly its arguments") {
    const auto send = [](bool flag, int extra) {
        Writer writer;
        for (const std::int64_t number : {0, 2, 4096, 3, 4, 4, 1}) writer.integer(number);
        writer.nil();
        if (flag)
            writer.boolean(true);
        else
            writer.integer(1);
        writer.integer(-3);
        for (int i = 0; i < extra; ++i) writer.nil();
        Reader reader(writer.bytes());
        Writer results;
        invoke<void(tensor<const float, 2>, optional<float>, bool, int)>::call(
            reinterpret_cast<void (*)()>(&callee), reader, ArenaView{memory, std::span(&region, 1)}, results);
        return reader.ok();
    };
    calls = 0;
    CHECK(send(true, 0));
    CHECK(calls == 1);
    CHECK_FALSE(send(false, 0)); // an integer where a flag belongs
    CHECK_FALSE(send(true, 1));  // one argument too many
    CHECK(calls == 1);
}
