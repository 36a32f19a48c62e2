// The shared memory notices what a call did to it.
#include "attempt/arena.hpp"
#include "catch.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

using namespace assay;

namespace {

/// The worker's view: the same memory, mapped again.
struct OtherSide {
    explicit OtherSide(const Arena& arena)
        : base(static_cast<std::byte*>(
              ::mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, arena.descriptor(), 0))) {}
    ~OtherSide() { ::munmap(base, 1 << 20); }
    OtherSide(const OtherSide&) = delete;
    OtherSide& operator=(const OtherSide&) = delete;
    float* floats(const Region& region) { return reinterpret_cast<float*>(base + region.data); }
    std::byte* base;
};

std::unique_ptr<Arena> arena() {
    auto made = Arena::make(1 << 20);
    REQUIRE(made.ok());
    return std::move(*made);
}

const Array input = Array::of(Dtype::f32, {2, 3}, std::array{1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
const Array output = Array::zeros(Dtype::f32, {2, 2});

} // namespace

TEST_CASE("tensors lie flush against the page after them, or before them") {
    const auto memory = arena();
    for (const bool start : {false, true}) {
        memory->begin_call(0, start);
        const Region region = *memory->place("x", input, Mode::in);
        CHECK(region.data_length == 24);
        CHECK((start ? region.data == region.offset : region.data + 24 == region.offset + region.length));
        const Region next = *memory->place("y", input, Mode::in);
        CHECK(next.offset == region.offset + region.length + page_bytes); // a page between them stays unmapped
        OtherSide other(*memory);
        CHECK(other.floats(region)[5] == 6.0f);
    }
}

TEST_CASE("an untouched output, a changed input and a write outside are told apart") {
    const auto memory = arena();
    OtherSide other(*memory);
    memory->begin_call(0, false);
    const Region x = *memory->place("x", input, Mode::in);
    const Region out = *memory->place("out", output, Mode::out);

    std::vector<Finding> findings = memory->inspect();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::unwritten_output);
    CHECK(findings[0].wrong == 4);
    CHECK(std::isnan(findings[0].got));

    for (int i = 0; i < 4; ++i) other.floats(out)[i] = 0;
    CHECK(memory->inspect().empty());

    other.floats(x)[4] = 9;
    findings = memory->inspect();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::mutated_input);
    CHECK(findings[0].where == Index{1, 1});
    CHECK(findings[0].got == 9);
    CHECK(findings[0].expected == 5);
    other.floats(x)[4] = 5;

    other.floats(out)[-1] = 1;
    findings = memory->inspect();
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::out_of_bounds);
    CHECK(findings[0].tensor == "out");
}

TEST_CASE("one element left out of an output is found, and the two poisons differ") {
    const auto memory = arena();
    OtherSide other(*memory);
    std::uint32_t left[2];
    for (const int poison : {0, 1}) {
        memory->begin_call(poison, false);
        const Region out = *memory->place("out", output, Mode::out);
        for (int i = 0; i < 3; ++i) other.floats(out)[i] = 1;
        std::memcpy(&left[poison], other.floats(out) + 3, 4);
        const std::vector<Finding> findings = memory->inspect();
        REQUIRE(findings.size() == 1);
        CHECK(findings[0].wrong == 1);
        CHECK(findings[0].where == Index{1, 1});
    }
    CHECK(left[0] != left[1]);
}

TEST_CASE("strides keep their gaps, and a write into a gap is out of bounds") {
    const auto memory = arena();
    OtherSide other(*memory);
    const Array stepped = output.laid_out(std::array{0, 1}, std::array<std::int64_t, 2>{1, 2});
    memory->begin_call(0, false);
    const Region out = *memory->place("out", stepped, Mode::out);
    CHECK(out.data_length == 7 * 4); // the last gap is beyond the tensor
    for (const int i : {0, 2, 4, 6}) other.floats(out)[i] = 3;
    CHECK(memory->inspect().empty());
    CHECK(memory->read(0).values() == std::vector<double>{3, 3, 3, 3});
    other.floats(out)[1] = 3;
    REQUIRE(memory->inspect().size() == 1);
    CHECK(memory->inspect()[0].kind == FindingKind::out_of_bounds);
}

TEST_CASE("a broadcast input is laid down once, an empty one has nothing to read") {
    const auto memory = arena();
    Array row = Array::of(Dtype::f32, {3}, std::array{1.0, 2.0, 3.0});
    row.extents = {4, 3};
    row.strides = {0, 1};
    memory->begin_call(0, false);
    CHECK(memory->place("x", row, Mode::in)->data_length == 12);
    const Array no_keys = Array::zeros(Dtype::f32, {0, 3});
    const Region empty = *memory->place("k", no_keys, Mode::in);
    CHECK(empty.data_length == 0);
    CHECK(empty.data == empty.offset + empty.length); // the first byte is the guard's
    CHECK(memory->inspect().empty());
}

TEST_CASE("places near a tensor are described, others are not, and too large a tensor is refused") {
    const auto memory = arena();
    memory->begin_call(0, false);
    const Region x = *memory->place("x", input, Mode::in);
    CHECK(memory->describe(x.offset + x.length + 8) == "8 bytes past the end of `x`");
    CHECK(memory->describe(x.offset - 4) == fmt::format("{} bytes before the start of `x`", x.data - x.offset + 4));
    CHECK(memory->describe(900000).empty());
    const Array large = Array::zeros(Dtype::f64, {1 << 18});
    const auto refused = memory->place("big", large, Mode::in);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.failure().verdict == Verdict::JE);
}
