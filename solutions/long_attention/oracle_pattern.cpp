#include "oracle_pattern.hpp"

#include <algorithm>

namespace assay::long_attention_judge {

Pattern::Pattern(std::int64_t length, std::int64_t window, std::int64_t globals, const Slips& on)
    : length_(length), window_(std::min(window, length)), globals_(std::min(globals, length)) {
    if (on("window-one-more")) reach_ = Reach::one_more;
    if (on("window-one-less")) reach_ = Reach::one_less;
    if (on("self-excluded")) reach_ = Reach::excluded;
    if (on("window-ignored")) reach_ = Reach::whole;
    if (on("block-window")) reach_ = on("block-window", 0) ? Reach::block : Reach::block_pair;
    if (on("window-both-sides")) ahead_ = on("window-both-sides", 0) ? Ahead::mirrored : Ahead::half;
    if (on("window-ahead")) ahead_ = Ahead::only;
    if (on("first-rows-skipped")) first_row_ = window_ - 1;
    empty_is_nan_ = !on("window-one-less", 1) && !on("self-excluded", 1);
    padded_ = on("padding-attended");
    if (on("globals-forgotten")) globals_ = 0;
    if (on("globals-off-by-one")) globals_ = std::min(globals_ + 1, length_);
    if (on("globals-take-window")) window_ = std::max<std::int64_t>(window_ - globals_, 0);
    twice_ = on("globals-counted-twice");
    future_globals_ = on("globals-not-causal");
    whole_rows_ = on("global-rows-whole");
}

std::vector<std::int64_t> Pattern::keys(std::int64_t i) const {
    std::int64_t low = i - window_ + 1, high = i;
    switch (reach_) {
    case Reach::one_more: --low; break;
    case Reach::one_less: ++low; break;
    case Reach::excluded: --low, --high; break;
    case Reach::whole: low = 0; break;
    case Reach::block: low = window_ == 0 ? i + 1 : i / window_ * window_; break;
    case Reach::block_pair: low = window_ == 0 ? i + 1 : i / window_ * window_ - window_; break;
    case Reach::right: break;
    }
    if (ahead_ == Ahead::mirrored) high = i + (i - low);
    if (ahead_ == Ahead::half) low = i - window_ / 2, high = i + window_ / 2;
    if (ahead_ == Ahead::only) high = i + (i - low), low = i;
    std::vector<std::int64_t> keys;
    for (std::int64_t pad = low; padded_ && pad < 0; ++pad) keys.push_back(-1);
    low = std::max<std::int64_t>(low, 0);
    high = std::min(high, length_ - 1);
    if (whole_rows_ && i < globals_) low = 0, high = length_ - 1;
    for (std::int64_t j = 0; j < globals_; ++j) {
        const bool seen = j <= i || future_globals_;
        if (seen && (twice_ || j < low || j > high)) keys.push_back(j);
    }
    for (std::int64_t j = low; j <= high; ++j) keys.push_back(j);
    return keys;
}

} // namespace assay::long_attention_judge
