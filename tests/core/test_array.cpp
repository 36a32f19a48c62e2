// The judge's tensor: layouts change, elements stay.
#include "catch.hpp"
#include "core/array.hpp"

#include <array>

using namespace assay;

namespace {
Array counting(Index extents) {
    double next = 0;
    return Array::generate(Dtype::f32, std::move(extents), [&](const Index&) { return next++; });
}
} // namespace

TEST_CASE("arrays are identical by dtype, layout and bytes") {
    const std::vector<double> values = {1, 2, 3, 4, 5, 6};
    const Array array = Array::of(Dtype::f32, {2, 3}, values);
    CHECK(identical(array, Array::of(Dtype::f32, {2, 3}, values)));
    CHECK_FALSE(identical(array, Array::of(Dtype::f64, {2, 3}, values)));
    CHECK_FALSE(identical(array, Array::of(Dtype::f32, {3, 2}, values)));
    Array other = array;
    other.storage.back() ^= std::byte{1};
    CHECK_FALSE(identical(array, other));
    other = array;
    other.strides = {1, 2};
    CHECK_FALSE(identical(array, other));
    CHECK(identical(Array::zeros(Dtype::f32, {0, 3}), Array::zeros(Dtype::f32, {0, 3})));
}

TEST_CASE("transposed and stepped layouts hold the same elements") {
    const Array plain = counting({2, 3, 4});
    const Array laid = plain.laid_out(std::array{2, 0, 1}, std::array<std::int64_t, 3>{1, 2, 3});
    CHECK(laid.values() == plain.values());
    CHECK_FALSE(laid.is_contiguous());
    CHECK(laid.strides == Index{6, 2, 36});
    CHECK(laid.contiguous().strides == plain.strides);
    CHECK(laid.contiguous().storage == plain.storage);
    CHECK(laid.bits() == plain.bits());
}

TEST_CASE("take keeps what is listed, in that order") {
    const Array taken = counting({2, 3}).take(1, std::array<std::int64_t, 2>{2, 0});
    CHECK(taken.values() == std::vector<double>{2, 0, 5, 3});
    CHECK(counting({2, 3}).take(0, {}).size() == 0);
}

TEST_CASE("a stride of 0 repeats, and reach counts storage") {
    Array row = counting({4});
    row.extents = {3, 4};
    row.strides = {0, 1};
    CHECK(row.at({2, 3}) == 3);
    CHECK(row.reach() == 4);
    CHECK_THROWS_AS(row.at({3, 0}), std::logic_error);
    row.extents = {0, 4};
    CHECK(row.reach() == 0);
    CHECK(row.values().empty());
}
