// The right half of the wrong attempts at the crossovers: each step is a function of its own, so that one of them can
// be wrong.
#ifndef LONG_ATTENTION_CROSSINGS_HPP
#define LONG_ATTENTION_CROSSINGS_HPP

#include "contract.hpp"

#include <algorithm>
#include <cmath>

namespace long_attention {

struct Crossings {
    double D = 0, r = 0, m = 0;

    virtual ~Crossings() = default;

    virtual double naive_token() const { return 4 * D; }
    virtual double memory_equal() const { return std::sqrt((D * D + 3 * D) / 2); }
    virtual double cache_equal() const { return (m * D + m) / (2 * D); }
    virtual double first_above(double length) const { return std::floor(length) + 1; }

    crossing all() const {
        crossing c;
        if (std::min({D, r, m}) < 1) return c;
        c.naive_token = naive_token();
        c.low_rank_token = 2 * 2 * r * D + 4 * r * D;
        c.linear_token = 4 * D * D + 3 * D;
        c.random_token = 4 * m * D + 3 * m + 2 * (2 * D * m + 2 * D);
        c.low_rank_equal = c.low_rank_token / c.naive_token;
        c.low_rank_first = first_above(c.low_rank_equal);
        c.linear_equal = c.linear_token / c.naive_token;
        c.linear_first = first_above(c.linear_equal);
        c.random_equal = c.random_token / c.naive_token;
        c.random_first = first_above(c.random_equal);
        c.memory_equal = memory_equal();
        c.memory_first = first_above(c.memory_equal);
        c.cache_equal = cache_equal();
        c.cache_first = first_above(c.cache_equal);
        return c;
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Crossings.
#define CROSSOVER_BY(Mistaken)                                                                                         \
    namespace long_attention {                                                                                         \
    crossing crossover(std::int64_t head_dim, std::int64_t rank, std::int64_t features) {                              \
        Mistaken crossings;                                                                                            \
        crossings.D = double(head_dim);                                                                                \
        crossings.r = double(rank);                                                                                    \
        crossings.m = double(features);                                                                                \
        return crossings.all();                                                                                        \
    }                                                                                                                  \
    } // namespace long_attention

#endif
