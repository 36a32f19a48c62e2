// Wrong: an invalid layer gives zeros instead of nothing.
// Level: traffic
#include "contract.hpp"

#include <initializer_list>

namespace parallelism {

traffic count_traffic(layer ffn) {
    for (const std::int64_t count : {ffn.tokens, ffn.d_model, ffn.hidden, ffn.ranks, ffn.element_bytes})
        if (count < 1 || count > (std::int64_t{1} << 53)) return {0, 0, 0, 0, 0, 0, 0, 0};
    const auto T = static_cast<double>(ffn.tokens), d = static_cast<double>(ffn.d_model);
    const auto f = static_cast<double>(ffn.hidden), n = static_cast<double>(ffn.ranks);
    const double e = static_cast<double>(ffn.element_bytes),
                 width = static_cast<double>((ffn.hidden + ffn.ranks - 1) / ffn.ranks), share = (n - 1) / n;
    traffic bytes;
    bytes.weights = e * (2 * d * width + width + d);
    bytes.activations = e * T * d;
    bytes.all_reduce = 2 * share * bytes.activations;
    bytes.all_gather = share * bytes.activations;
    bytes.reduce_scatter = share * bytes.activations;
    bytes.sequence = bytes.all_gather + bytes.reduce_scatter;
    bytes.gathered_sums = share * n * bytes.activations;
    bytes.rows_first = 2 * share * e * T * f + share * e * T * d;
    return bytes;
}

} // namespace parallelism
