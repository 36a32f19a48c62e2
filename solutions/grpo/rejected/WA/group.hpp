// The right half of the wrong attempts at the advantages.
#ifndef GRPO_GROUP_HPP
#define GRPO_GROUP_HPP

#include "contract.hpp"

#include <cmath>

namespace grpo {

using Index = std::ptrdiff_t;

/// Mean and standard deviation of every `step`-th reward in [first, end).
struct Group {
    double mean = 0, deviation = 0, count = 0;
    bool equal = true;

    Group(tensor<const double, 1> rewards, Index first, Index end, double ddof, Index step = 1) {
        for (Index n = first; n < end; n += step) {
            mean += rewards(n);
            count += 1;
            equal = equal && rewards(n) == rewards(first);
        }
        mean /= count;
        double squares = 0;
        for (Index n = first; n < end; n += step) squares += (rewards(n) - mean) * (rewards(n) - mean);
        deviation = std::sqrt(squares / (count - ddof));
    }
};

/// Calls visit(group, n) for every sequence.
template <class Visit> void each(tensor<const double, 1> rewards, group_rule rule, double ddof, Visit visit) {
    for (Index n = 0; n < rewards.extent(0); ++n) {
        const Index first = n - n % rule.group_size;
        visit(Group(rewards, first, first + rule.group_size, ddof), n);
    }
}

/// The right answer.
inline void right_advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {
    each(rewards, rule, double(rule.ddof), [&](const Group& g, Index n) {
        const double d = rewards(n) - g.mean;
        advantage(n) = g.equal ? 0 : rule.scale ? d / (g.deviation + rule.eps) : d;
    });
}

} // namespace grpo

/// Level degenerate asks both functions.
#define GRPO_RIGHT_ADVANTAGES                                                                                          \
    namespace grpo {                                                                                                   \
    void advantages(tensor<const double, 1> rewards, group_rule rule, tensor<double, 1> advantage) {                   \
        right_advantages(rewards, rule, advantage);                                                                    \
    }                                                                                                                  \
    }

#endif
