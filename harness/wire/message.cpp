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

struct Reader::Impl {
    std::vector<char> bytes;
    std::size_t at = 0;
    std::string error;

    /// The next value, or nil after a failure. Nothing nested is ever sent, so a depth of one and no containers will
    /// do.
    msgpack::object_handle next() {
        if (!error.empty()) return {};
        if (at >= bytes.size()) {
            error = "the message ends too early";
            return {};
        }
        try {
            const msgpack::unpack_limit limit(0, 0, 1 << 16, 1 << 16, 16, 1);
            return msgpack::unpack(bytes.data(), bytes.size(), at, nullptr, nullptr, limit);
        } catch (const std::exception&) { // truncated, or larger than the limits
            error = "the message is damaged";
            return {};
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
    const msgpack::object_handle value = impl_->next();
    if (!impl_->error.empty()) return false;
    if (value.get().is_nil()) return true;
    impl_->at = before;
    return false;
}

bool Reader::boolean() {
    const msgpack::object_handle value = impl_->next();
    if (value.get().type == msgpack::type::BOOLEAN) return value.get().via.boolean;
    impl_->wrong("a flag");
    return false;
}

std::int64_t Reader::integer(std::int64_t low, std::int64_t high) {
    const msgpack::object_handle value = impl_->next();
    const msgpack::object& object = value.get();
    std::int64_t result = 0;
    if (object.type == msgpack::type::NEGATIVE_INTEGER) {
        result = object.via.i64;
    } else if (object.type == msgpack::type::POSITIVE_INTEGER &&
               object.via.u64 <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        result = static_cast<std::int64_t>(object.via.u64);
    } else {
        impl_->wrong("an integer");
        return 0;
    }
    if (result < low || result > high) {
        impl_->wrong("an integer in range");
        return 0;
    }
    return result;
}

double Reader::number() {
    const msgpack::object_handle value = impl_->next();
    const msgpack::object& object = value.get();
    if (object.type == msgpack::type::EXT && object.via.ext.type() == number_type &&
        object.via.ext.size == sizeof(double)) {
        double result = 0;
        std::memcpy(&result, object.via.ext.data(), sizeof result);
        return result;
    }
    impl_->wrong("a number");
    return 0;
}

std::string Reader::text(std::size_t most) {
    const msgpack::object_handle value = impl_->next();
    const msgpack::object& object = value.get();
    if (object.type == msgpack::type::STR && object.via.str.size <= most)
        return std::string(object.via.str.ptr, object.via.str.size);
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
