// Records of a contract: flattened into parameters and results, in their order, and left out by nobody.
#include "catch.hpp"

#include <assay/list.hpp>
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
struct hole {
    double first = 0, second = 0;
};
hole uneven(hole both);
void twice(layer one, std::int64_t tokens);

class counter {
  public:
    virtual ~counter() = default;
    virtual void take(std::int64_t count, assay::list<gap>& gaps, assay::list<std::int64_t>& numbers) = 0;
    virtual std::int64_t next() const = 0;
};
counter* make_counter(std::int64_t first);

} // namespace recorded

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(recorded, layer, tokens, gated, scale)                                                                      \
    RECORD(recorded, costs, flops, binds, fits)                                                                        \
    RECORD(recorded, gap, first, second)                                                                               \
    RECORD(recorded, hole, second)

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

namespace {

class Counter : public recorded::counter {
  public:
    explicit Counter(std::int64_t first) : next_(first) {}
    ~Counter() override { ++destroyed; }
    void take(std::int64_t count, list<recorded::gap>& gaps, list<std::int64_t>& numbers) override {
        for (std::int64_t i = 0; i < count; ++i) {
            gaps.push({static_cast<double>(next_), -1});
            numbers.push(next_++);
        }
        CHECK(numbers.size() == count);
    }
    std::int64_t next() const override { return next_; }
    static inline int destroyed = 0;

  private:
    std::int64_t next_;
};

recorded::counter* made(std::int64_t first) { return first < 0 ? nullptr : new Counter(first); }

/// Calls with these integers; gives what was answered.
template <class Call> Reader called(Call call, std::initializer_list<std::int64_t> arguments, bool& ok) {
    Writer writer, results;
    for (const std::int64_t one : arguments) writer.integer(one);
    Reader reader(writer.bytes());
    call(reader, results);
    ok = reader.ok();
    return Reader(results.bytes());
}

} // namespace

TEST_CASE("objects are made, asked by handle, and destroyed once") {
    const auto make = [](Reader& reader, Writer& results) {
        invoke<decltype(recorded::make_counter)>::call(reinterpret_cast<void (*)()>(&made), reader, {}, results);
    };
    const auto take = [](Reader& reader, Writer& results) {
        invoke_method<&recorded::counter::take>::call(nullptr, reader, {}, results);
    };
    const auto next = [](Reader& reader, Writer& results) {
        invoke_method<&recorded::counter::next>::call(nullptr, reader, {}, results);
    };
    const auto destroy = [](Reader& reader, Writer& results) { destroy_object(nullptr, reader, {}, results); };
    bool ok = false;
    const std::int64_t a = called(make, {10}, ok).integer(0, 1000), b = called(make, {20}, ok).integer(0, 1000);
    CHECK(a != b);
    Reader taken = called(take, {b, 2}, ok);
    CHECK(taken.integer(0, 9) == 2);
    CHECK(taken.number() == 20);
    CHECK(taken.number() == -1);
    CHECK(taken.number() == 21);
    CHECK(taken.number() == -1);
    CHECK(taken.integer(0, 9) == 2);
    CHECK(taken.integer(0, 99) == 20);
    CHECK(taken.integer(0, 99) == 21);
    CHECK(taken.finished());
    CHECK(called(next, {b}, ok).integer(0, 99) == 22);
    CHECK(called(next, {a}, ok).integer(0, 99) == 10);
    called(destroy, {b}, ok);
    CHECK(ok);
    CHECK(Counter::destroyed == 1);
    for (const std::int64_t stale : {b, std::int64_t{-1}, std::int64_t{1} << 40}) {
        called(next, {stale}, ok);
        CHECK_FALSE(ok);
        called(destroy, {stale}, ok);
        CHECK_FALSE(ok);
    }
    CHECK(Counter::destroyed == 1);
    called(destroy, {a}, ok);
    CHECK(ok);
    CHECK(Counter::destroyed == 2);
    CHECK_THROWS_AS(called(make, {-1}, ok), std::invalid_argument);
}

TEST_CASE("methods are described with the object's handle first, lists with their items") {
    const Signature take = detail::make_method("recorded", "counter", "take", "count gaps numbers",
                                               detail::shape_of<decltype(&recorded::counter::take)>::get());
    CHECK(take.name == "counter.take");
    CHECK(take.method);
    REQUIRE(take.parameters.size() == 4);
    CHECK(take.parameters[0].name == "handle");
    CHECK(take.parameters[1].name == "count");
    CHECK(take.parameters[2].kind == Parameter::Kind::list);
    CHECK(take.parameters[2].items.size() == 2);
    CHECK(take.parameters[3].items.size() == 1);
    const Signature maker = signature<decltype(recorded::make_counter)>("first");
    REQUIRE(maker.results.size() == 1);
    CHECK(maker.results[0].name == "handle");
    CHECK(detail::make_destroy("recorded", "counter").name == "counter.destroy");
}
