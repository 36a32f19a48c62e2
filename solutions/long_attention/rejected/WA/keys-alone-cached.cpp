// One cache.
// Level: crossover
#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace long_attention {

crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {
    if (std::min({head_dim, rank, features}) < 1) return {};
    const double D = double(head_dim), r = double(rank), m = double(features);
    const auto first_above = [](double length) { return std::floor(length) + 1; };
    crossing c;
    c.naive_token = 4 * D;
    c.low_rank_token = 2 * 2 * r * D + 4 * r * D;
    c.linear_token = 4 * D * D + 3 * D;
    c.random_token = 4 * m * D + 3 * m + 2 * (2 * D * m + 2 * D);
    c.low_rank_equal = c.low_rank_token / c.naive_token;
    c.low_rank_first = first_above(c.low_rank_equal);
    c.linear_equal = c.linear_token / c.naive_token;
    c.linear_first = first_above(c.linear_equal);
    c.random_equal = c.random_token / c.naive_token;
    c.random_first = first_above(c.random_equal);
    c.memory_equal = std::sqrt((D * D + 3 * D) / 2);
    c.memory_first = first_above(c.memory_equal);
    c.cache_equal = (m * D + m) / D;
    c.cache_first = first_above(c.cache_equal);
    return c;
}

} // namespace long_attention
