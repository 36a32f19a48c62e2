// Which keys a query attends: window and global tokens, right or with mistakes.
#ifndef ASSAY_LONG_ATTENTION_ORACLE_PATTERN_HPP
#define ASSAY_LONG_ATTENTION_ORACLE_PATTERN_HPP

#include "core/slips.hpp"

#include <cstdint>
#include <vector>

namespace assay::long_attention_judge {

class Pattern {
  public:
    /// Of sequences of `length`. `window` >= 1, `globals` >= 0.
    Pattern(std::int64_t length, std::int64_t window, std::int64_t globals, const Slips& on);

    /// Keys of query i, ascending; one may stand twice, and -1 is a padding key of logit 0 and value 0.
    std::vector<std::int64_t> keys(std::int64_t i) const;
    /// What a row without keys gives where a mistake leaves one: NaN, else 0.
    bool empty_is_nan() const { return empty_is_nan_; }
    /// Rows that a mistake leaves at 0.
    bool left_out(std::int64_t i) const { return i < first_row_; }

  private:
    std::int64_t length_, window_, globals_;
    std::int64_t first_row_ = 0;
    bool empty_is_nan_ = true;
    enum class Reach { right, one_more, one_less, excluded, whole, block, block_pair } reach_ = Reach::right;
    enum class Ahead { none, mirrored, half, only } ahead_ = Ahead::none;
    bool padded_ = false, twice_ = false, future_globals_ = false, whole_rows_ = false;
};

} // namespace assay::long_attention_judge

#endif
