// A contract function written in Var: what its signature says, and the gradients that a call brings back.
#include "catch.hpp"

#include "worker/gradient.hpp"

using namespace assay;

namespace {

Var weighted(tensor<const Var, 2> x, tensor<const Var, 1> weights, double scale) {
    Var total;
    for (std::ptrdiff_t i = 0; i < x.extent(0); ++i)
        for (std::ptrdiff_t j = 0; j < x.extent(1); ++j) total += x(i, j) * weights(j) * scale;
    return total;
}

} // namespace

TEST_CASE("a tensor of Var stands in the signature as values and gradient, and the result under the function's name") {
    const Signature signature =
        detail::make_signature("test", "weighted", "x weights scale", typeid(decltype(weighted)).name(),
                               detail::shape_of<decltype(weighted)>::get());
    std::vector<std::string> names;
    for (const Parameter& parameter : signature.parameters) names.push_back(parameter.name);
    CHECK(names == std::vector<std::string>{"x", "x_grad", "weights", "weights_grad", "scale"});
    CHECK(signature.parameters[0].dtype == Dtype::f64);
    CHECK_FALSE(signature.parameters[0].writable);
    CHECK(signature.parameters[1].writable);
    CHECK(signature.parameters[1].rank == 2);
    REQUIRE(signature.results.size() == 1);
    CHECK(signature.results[0].name == "weighted");
    CHECK(signature.results[0].kind == Parameter::Kind::number);
}

TEST_CASE("a call runs the tape backward and writes strided gradients") {
    // Doubles of the arena: x (2, 3) transposed, its gradient with a gap after each element, weights, theirs.
    std::vector<double> memory(32, -9);
    const double x[] = {1, 2, 3, 4, 5, 6}; // x(i, j) at i + 2 j
    std::copy(std::begin(x), std::end(x), memory.begin());
    const double weights[] = {10, 20, 30};
    std::copy(std::begin(weights), std::end(weights), memory.begin() + 20);
    const Region whole{0, 4096, 0, 256};
    Writer body;
    const auto put = [&](std::int64_t at, std::vector<std::int64_t> extents, std::vector<std::int64_t> strides) {
        body.integer(static_cast<std::int64_t>(Dtype::f64));
        body.integer(static_cast<std::int64_t>(extents.size()));
        body.integer(at * 8);
        for (const std::int64_t extent : extents) body.integer(extent);
        for (const std::int64_t stride : strides) body.integer(stride);
    };
    put(0, {2, 3}, {1, 2});
    put(6, {2, 3}, {6, 2});
    put(20, {3}, {1});
    put(24, {3}, {1});
    body.number(2);
    const ArenaView arena{reinterpret_cast<std::byte*>(memory.data()), std::span(&whole, 1)};
    const auto ask = [&] {
        the_tape().clear();
        Reader reader(body.bytes());
        Writer results;
        invoke<decltype(weighted)>::call(reinterpret_cast<void (*)()>(&weighted), reader, arena, results);
        REQUIRE(reader.ok());
        return Reader(results.bytes()).number();
    };
    const double value = 2 * (10 * (1 + 2) + 20 * (3 + 4) + 30 * (5 + 6));
    CHECK(ask() == value);
    for (const int at : {6, 12}) CHECK(memory[static_cast<std::size_t>(at)] == 20);
    for (const int at : {8, 14}) CHECK(memory[static_cast<std::size_t>(at)] == 40);
    for (const int at : {10, 16}) CHECK(memory[static_cast<std::size_t>(at)] == 60);
    for (const int at : {7, 9, 11, 13, 15, 17}) CHECK(memory[static_cast<std::size_t>(at)] == -9);
    CHECK(std::vector<double>(memory.begin() + 24, memory.begin() + 27) == std::vector<double>{6, 14, 22});
    CHECK(ask() == value); // and again, on a tape that has forgotten the first call
}
