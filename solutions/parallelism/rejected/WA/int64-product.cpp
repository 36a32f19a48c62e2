// Wrong: products are made in 64-bit integers, bytes and all.
// Level: traffic
#include "contract.hpp"

#include <initializer_list>

namespace parallelism {

namespace {

/// What a product of std::int64_t gives on every machine we know, without the undefined behaviour.
double product(std::int64_t a, std::int64_t b, std::int64_t c) {
    const auto u = [](std::int64_t x) { return static_cast<std::uint64_t>(x); };
    return static_cast<double>(static_cast<std::int64_t>(u(a) * u(b) * u(c)));
}

} // namespace

traffic count_traffic(layer ffn) {
    for (const std::int64_t count : {ffn.tokens, ffn.d_model, ffn.hidden, ffn.ranks, ffn.element_bytes})
        if (count < 1 || count > (std::int64_t{1} << 53)) return {};
    const auto d = static_cast<double>(ffn.d_model), n = static_cast<double>(ffn.ranks);
    const double e = static_cast<double>(ffn.element_bytes), share = (n - 1) / n;
    traffic bytes;
    bytes.weights = product(2 * ffn.d_model + 1, (ffn.hidden + ffn.ranks - 1) / ffn.ranks, ffn.element_bytes) + e * d;
    bytes.activations = product(ffn.tokens, ffn.d_model, ffn.element_bytes);
    bytes.all_reduce = 2 * share * bytes.activations;
    bytes.all_gather = share * bytes.activations;
    bytes.reduce_scatter = share * bytes.activations;
    bytes.sequence = bytes.all_gather + bytes.reduce_scatter;
    bytes.gathered_sums = share * n * bytes.activations;
    bytes.rows_first = 2 * share * product(ffn.tokens, ffn.hidden, ffn.element_bytes) + share * bytes.activations;
    return bytes;
}

} // namespace parallelism
