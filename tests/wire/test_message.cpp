// What is written is read back; anything else is refused for good.
#include "catch.hpp"
#include "core/random.hpp"
#include "wire/message.hpp"

#include <cmath>
#include <limits>

using namespace assay;

TEST_CASE("values come back in the order they were written") {
    Writer writer;
    writer.integer(std::numeric_limits<std::int64_t>::min());
    writer.integer(-1);
    writer.integer(std::numeric_limits<std::int64_t>::max());
    writer.number(-0.0);
    writer.number(std::numeric_limits<double>::quiet_NaN());
    writer.boolean(true);
    writer.nil();
    writer.text("Lq");
    Reader reader(writer.bytes());
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    CHECK(reader.integer(low, high) == low);
    CHECK_FALSE(reader.take_nil());
    CHECK(reader.integer(low, high) == -1);
    CHECK(reader.integer(low, high) == high);
    CHECK(std::signbit(reader.number()));
    CHECK(std::isnan(reader.number()));
    CHECK(reader.boolean());
    CHECK(reader.take_nil());
    CHECK(reader.text(2) == "Lq");
    CHECK(reader.ok());
    CHECK(reader.finished());
}

TEST_CASE("integers and texts of every width come back, and none does that was cut short") {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> numbers{0, low, high};
    for (int bits = 0; bits < 63; ++bits)
        for (const std::int64_t near : {-1, 0, 1}) {
            numbers.push_back((std::int64_t{1} << bits) + near);
            numbers.push_back(-(std::int64_t{1} << bits) + near);
        }
    for (const std::int64_t number : numbers) {
        Writer writer;
        writer.integer(number);
        Reader whole(writer.bytes());
        CHECK(whole.integer(low, high) == number);
        CHECK((whole.ok() && whole.finished()));
        Reader cut(writer.bytes().first(writer.bytes().size() - 1));
        cut.integer(low, high);
        CHECK_FALSE(cut.ok());
    }
    for (const std::size_t length : {0, 1, 31, 32, 255, 256, 65535, 65536}) {
        Writer writer;
        writer.text(std::string(length, 'x'));
        writer.number(0.5);
        Reader whole(writer.bytes());
        CHECK(whole.text(length) == std::string(length, 'x'));
        CHECK(whole.number() == 0.5);
        CHECK((whole.ok() && whole.finished()));
        Reader cut(writer.bytes().first(writer.bytes().size() - 1));
        cut.text(length);
        cut.number();
        CHECK(cut.error() == "the message is damaged");
    }
}

TEST_CASE("a value of another type, out of range, too long or missing fails the reader for good") {
    Writer writer;
    writer.integer(7);
    writer.integer(8);
    const auto fresh = [&] { return Reader(writer.bytes()); };

    Reader type = fresh();
    type.number();
    CHECK_FALSE(type.ok());
    CHECK(type.integer(0, 10) == 0); // even a fitting value is no longer read
    CHECK(type.error() == "the message holds something else where a number belongs");

    Reader range = fresh();
    range.integer(0, 6);
    CHECK_FALSE(range.ok());

    Reader end = fresh();
    end.integer(0, 10);
    end.integer(0, 10);
    CHECK(end.ok());
    end.integer(0, 10);
    CHECK(end.error() == "the message ends too early");

    Writer words;
    words.text("four");
    Reader text(words.bytes());
    text.text(3);
    CHECK_FALSE(text.ok());
}

TEST_CASE("no bytes make the reader do anything but answer or refuse") {
    Random random(1, "message");
    int refused = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::vector<char> bytes(static_cast<std::size_t>(random.integer(0, 24)));
        for (char& byte : bytes) byte = static_cast<char>(random.next());
        Reader reader(bytes);
        for (int i = 0; i < 6 && reader.ok(); ++i) {
            switch (random.integer(0, 4)) {
            case 0: reader.integer(-5, 5); break;
            case 1: reader.number(); break;
            case 2: reader.boolean(); break;
            case 3: reader.text(8); break;
            default: reader.take_nil();
            }
        }
        refused += reader.ok() ? 0 : 1;
    }
    CHECK(refused > 19000);
}
