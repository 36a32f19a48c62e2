#include "roofline/random_values.hpp"

#include "assay/half.hpp"
#include "core/random.hpp"

#include <cstring>

namespace assay::roofline {

namespace {

constexpr std::uint64_t seed = 20; // any: a rate may depend on random content, never on which

template <class T> T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

} // namespace

RandomValues::RandomValues(Precision precision, std::string_view stream)
    : precision_(precision), bytes_(static_cast<std::size_t>(period * bytes_of(precision))) {
    Random random(seed, stream);
    std::byte* to = bytes_.data();
    const auto put = [&](auto value) {
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
    };
    for (std::int64_t i = 0; i < period; ++i) {
        const auto value = static_cast<float>(random.uniform(-1, 1));
        switch (precision) {
        case Precision::fp32:
        case Precision::tf32: put(value); break;
        case Precision::fp16: put(half(value).bits()); break;
        case Precision::bf16: put(bfloat16(value).bits()); break;
        }
    }
}

double RandomValues::at(std::int64_t index) const {
    return read(precision_, bytes_.data() + index % period * bytes_of(precision_));
}

double RandomValues::read(Precision precision, const std::byte* from) {
    switch (precision) {
    case Precision::fp32:
    case Precision::tf32: return load<float>(from);
    case Precision::fp16: return half::from_bits(load<std::uint16_t>(from));
    case Precision::bf16: return bfloat16::from_bits(load<std::uint16_t>(from));
    }
    return 0;
}

} // namespace assay::roofline
