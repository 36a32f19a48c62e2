#include "wire/message.hpp"

#include <cstring>
#include <limits>
#include <msgpack.hpp>

namespace assay {

namespace {
constexpr std::int8_t number_type = 1;
}

struct Writer::Impl {
    msgpack::sbuffer buffer;
    msgpack::packer<msgpack::sbuffer> packer{buffer};
};

Writer::Writer() : impl_(std::make_unique<Impl>()) {}
Writer::~Writer() = default;

void Writer::nil() { impl_->packer.pack_nil(); }
void Writer::boolean(bool value) { impl_->packer.pack(value); }
void Writer::integer(std::int64_t value) { impl_->packer.pack_int64(value); }

// As an extension of 8 bytes: pack_double writes whole numbers as integers, and so loses the sign of -0.
void Writer::number(double value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    impl_->packer.pack_ext(sizeof value, number_type);
    impl_->packer.pack_ext_body(raw, sizeof value);
}

void Writer::text(std::string_view value) {
    impl_->packer.pack_str(static_cast<std::uint32_t>(value.size()));
    impl_->packer.pack_str_body(value.data(), static_cast<std::uint32_t>(value.size()));
}
std::span<const char> Writer::bytes() const { return {impl_->buffer.data(), impl_->buffer.size()}; }

namespace {

/// One value as it lies in the message.
struct Value {
    enum class Kind { nothing, nil, boolean, integer, huge, number, text } kind = Kind::nothing;
    std::int64_t integer = 0; // a flag's 0 or 1 as well; `huge`: beyond it
    double number = 0;
    std::string_view text;
};

} // namespace

/// Reads the formats that the Writer uses and refuses all others: 4 ns a value, where msgpack's own reader, which
/// allocates for each, takes 53. A simulated run's messages hold thousands of them.
struct Reader::Impl {
    std::vector<char> bytes;
    std::size_t at = 0;
    std::string error;

    Value damaged() {
        error = "the message is damaged"; // truncated, or of a format that is never written
        return {};
    }

    /// A number of `width` bytes, the highest first; false where fewer are left.
    bool take(std::size_t width, std::uint64_t& number) {
        if (bytes.size() - at < width) return false;
        number = 0;
        for (std::size_t i = 0; i < width; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
        at += width;
        return true;
    }

    Value whole(std::size_t width, bool negative) {
        std::uint64_t raw = 0;
        if (!take(width, raw)) return damaged();
        if (!negative && raw > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return {Value::Kind::huge, 0, 0, {}};
        const std::size_t unused = 64 - 8 * width; // bits; the sign is the highest of those that are used
        const std::int64_t value =
            negative ? static_cast<std::int64_t>(raw << unused) >> unused : static_cast<std::int64_t>(raw);
        return {Value::Kind::integer, value, 0, {}};
    }

    Value number() {
        std::uint64_t type = 0, raw = 0;
        if (!take(1, type) || type != number_type || bytes.size() - at < sizeof raw) return damaged();
        double value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        at += sizeof value;
        return {Value::Kind::number, 0, value, {}};
    }

    Value text(std::size_t length) {
        if (bytes.size() - at < length) return damaged();
        const std::string_view found(bytes.data() + at, length);
        at += length;
        return {Value::Kind::text, 0, 0, found};
    }

    Value long_text(std::size_t width) {
        std::uint64_t length = 0;
        return take(width, length) ? text(static_cast<std::size_t>(length)) : damaged();
    }

    /// The next value; nothing after a failure.
    Value next() {
        if (!error.empty()) return {};
        if (at >= bytes.size()) {
            error = "the message ends too early";
            return {};
        }
        const auto format = static_cast<unsigned char>(bytes[at++]);
        if (format < 0x80) return {Value::Kind::integer, format, 0, {}};
        if (format >= 0xe0) return {Value::Kind::integer, static_cast<signed char>(format), 0, {}};
        if (format >= 0xa0 && format < 0xc0) return text(format & 0x1fu);
        switch (format) {
        case 0xc0: return {Value::Kind::nil, 0, 0, {}};
        case 0xc2: return {Value::Kind::boolean, 0, 0, {}};
        case 0xc3: return {Value::Kind::boolean, 1, 0, {}};
        case 0xcc: return whole(1, false);
        case 0xcd: return whole(2, false);
        case 0xce: return whole(4, false);
        case 0xcf: return whole(8, false);
        case 0xd0: return whole(1, true);
        case 0xd1: return whole(2, true);
        case 0xd2: return whole(4, true);
        case 0xd3: return whole(8, true);
        case 0xd7: return number();
        case 0xd9: return long_text(1);
        case 0xda: return long_text(2);
        case 0xdb: return long_text(4);
        default: return damaged();
        }
    }

    void wrong(const char* wanted) {
        if (error.empty()) error = std::string("the message holds something else where ") + wanted + " belongs";
    }
};

Reader::Reader(std::span<const char> bytes) : impl_(std::make_unique<Impl>()) {
    impl_->bytes.assign(bytes.begin(), bytes.end());
}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

bool Reader::take_nil() {
    const std::size_t before = impl_->at;
    const Value value = impl_->next();
    if (value.kind == Value::Kind::nothing) return false;
    if (value.kind == Value::Kind::nil) return true;
    impl_->at = before;
    return false;
}

bool Reader::boolean() {
    const Value value = impl_->next();
    if (value.kind == Value::Kind::boolean) return value.integer != 0;
    impl_->wrong("a flag");
    return false;
}

std::int64_t Reader::integer(std::int64_t low, std::int64_t high) {
    const Value value = impl_->next();
    if (value.kind != Value::Kind::integer) {
        impl_->wrong("an integer");
        return 0;
    }
    if (value.integer < low || value.integer > high) {
        impl_->wrong("an integer in range");
        return 0;
    }
    return value.integer;
}

double Reader::number() {
    const Value value = impl_->next();
    if (value.kind == Value::Kind::number) return value.number;
    impl_->wrong("a number");
    return 0;
}

std::string Reader::text(std::size_t most) {
    const Value value = impl_->next();
    if (value.kind == Value::Kind::text && value.text.size() <= most) return std::string(value.text);
    impl_->wrong("a text");
    return {};
}

void Reader::fail(std::string_view why) {
    if (impl_->error.empty()) impl_->error = why;
}
bool Reader::ok() const { return impl_->error.empty(); }
bool Reader::finished() const { return impl_->at >= impl_->bytes.size(); }
const std::string& Reader::error() const { return impl_->error; }

} // namespace assay
