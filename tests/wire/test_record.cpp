// Records of a contract: flattened into parameters and results, in their order, and left out by nobody.
#include "catch.hpp"

#include <assay/unset.hpp>
#include <cstdint>
#include <cstring>

namespace recorded {

struct layer {
    std::int64_t tokens = 0;
    bool gated = false;
    double scale = 1;
};
enum class resource : std::int64_t { none = -1, compute, memory };
struct costs {
    double flops = assay::unset;
    resource binds = resource::none;
    bool fits = false;
};
costs count(layer one, double peak);
struct gap {
    double first = 0, second = 0;
};
gap uneven(gap both);
void twice(layer one, std::int64_t tokens);

} // namespace recorded

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(recorded, layer, tokens, gated, scale)                                                                      \
    RECORD(recorded, costs, flops, binds, fits)                                                                        \
    RECORD(recorded, gap, second)

#include "wire/argument.hpp"

using namespace assay;

namespace {

template <class Function> Signature signature(std::string_view names) {
    return detail::make_signature("recorded", "count", names, typeid(Function).name(),
                                  detail::shape_of<Function>::get());
}

recorded::costs counted(recorded::layer one, double peak) {
    CHECK(one.gated);
    return {static_cast<double>(one.tokens) * one.scale * peak, recorded::resource::memory, true};
}

} // namespace

TEST_CASE("a record's fields stand as parameters and results") {
    const Signature count = signature<decltype(recorded::count)>("one peak");
    REQUIRE(count.parameters.size() == 4);
    CHECK(count.parameters[0].name == "tokens");
    CHECK(count.parameters[0].kind == Parameter::Kind::integer);
    CHECK(count.parameters[1].name == "gated");
    CHECK(count.parameters[1].kind == Parameter::Kind::boolean);
    CHECK(count.parameters[2].kind == Parameter::Kind::number);
    CHECK(count.parameters[3].name == "peak");
    REQUIRE(count.results.size() == 3);
    CHECK(count.results[0].name == "flops");
    CHECK(count.results[0].dtype == Dtype::f64);
    CHECK(count.results[1].kind == Parameter::Kind::integer); // an enum travels as its number
    CHECK(count.results[2].dtype == Dtype::boolean);
    CHECK_FALSE(count.ranked);
}

TEST_CASE("a field that the list leaves out, or a name used twice, is the author's error") {
    CHECK_THROWS_AS(signature<decltype(recorded::uneven)>("both"), std::logic_error);
    CHECK_THROWS_AS(signature<decltype(recorded::twice)>("one tokens"), std::logic_error);
    CHECK_THROWS_AS(signature<decltype(recorded::count)>("one"), std::logic_error);
}

TEST_CASE("a call decodes a record and sends one back") {
    Writer writer, results;
    writer.integer(7);
    writer.boolean(true);
    writer.number(0.5);
    writer.number(-4);
    Reader reader(writer.bytes());
    invoke<decltype(recorded::count)>::call(reinterpret_cast<void (*)()>(&counted), reader, {}, results);
    REQUIRE(reader.ok());
    Reader back(results.bytes());
    CHECK(back.number() == -14);
    CHECK(back.integer(-1, 1) == 1);
    CHECK(back.boolean());
    CHECK(back.ok());
    CHECK(back.finished());
}

TEST_CASE("the NaN of an unset item keeps its bits on the wire") {
    Writer writer;
    writer.number(unset);
    Reader reader(writer.bytes());
    const double back = reader.number();
    CHECK(std::memcmp(&back, &unset, sizeof back) == 0);
}
