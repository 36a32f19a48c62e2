// The steps of the oracle between inputs and output: logits of a head, and rows computed as a mistake computes them.
#ifndef ASSAY_SDPA_ORACLE_ROWS_HPP
#define ASSAY_SDPA_ORACLE_ROWS_HPP

#include "oracle.hpp"
#include "oracle_inputs.hpp"
#include "oracle_row.hpp"
#include "oracle_slips.hpp"

#include <limits>
#include <vector>

namespace assay::sdpa_judge {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// One query head: logits and their errors in units of u, and who may attend, each (Lq, Lk). Logits of masked keys are
/// there only where a mistake looks at them (a masked key may hold NaN).
struct Head {
    std::vector<double> s, e;
    std::vector<std::uint8_t> may;
};

/// What q·k is multiplied by.
double logit_factor(const Inputs& in, const Switch& as);

/// Fills `head` for batch row b and query head h.
void fill_head(const Inputs& in, const Switch& as, std::size_t b, std::size_t h, Head& head);

/// The key/value head that query head h reads.
std::size_t kv_head_of(const Inputs& in, const Switch& as, std::size_t h);

/// Where v (Lk, Dv) of query head h lies.
const double* values_of(const Inputs& in, const Switch& as, std::size_t b, std::size_t h);

/// A place for one row's result.
struct Target {
    double* value;
    double* bound;
    std::size_t Dv;

    void fill(double x) const {
        for (std::size_t d = 0; d < Dv; ++d) {
            value[d] = x;
            bound[d] = 0;
        }
    }
};

/// Weights exp(s_j) as float32 gives them, with nothing or the wrong thing subtracted: NaN where the largest overflows,
/// `guard` where all underflow.
void shifted_row(Row& row, const double* v, Guard guard, Allowance allowance, const Target& to);

/// Weights normalised over the queries. Writes all rows of the head, `to` being the first.
void rows_over_queries(const Inputs& in, const Head& head, const double* v, const Allowance& allowance,
                       const Target& to);

/// Rows of the 16-bit mistakes half_sums and half_weights.
void half_sums_row(Row& row, const double* v, Dtype narrow, const Switch& as, const Allowance& allowance,
                   const Target& to);
void half_weights_row(Row& row, const double* v, Dtype narrow, const Switch& as, const Allowance& allowance,
                      const Target& to);

/// `x` rounded to a 16-bit type.
float narrowed(Dtype type, float x);

/// What a blockwise attempt with a mistake in it computes for one row: `lengths` are the blocks' keys, over `row`'s
/// keys in ascending order.
void blockwise_row(const Row& row, const Blocking& blocks, const double* v, const Switch& as,
                   const Allowance& allowance, const Target& to);

/// Switches on what goes wrong between right rows and the output.
void change_outputs(const Inputs& in, const Switch& as, const Allowance& allowance, Truth& truth);

/// Blocks of `block` keys, no merge.
Blocking equal_blocks(std::size_t keys, std::size_t block);

} // namespace assay::sdpa_judge

#endif
