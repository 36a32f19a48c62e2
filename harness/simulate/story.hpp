// A run told as a timeline: "t = 10 ms  fires A, B".
#ifndef ASSAY_SIMULATE_STORY_HPP
#define ASSAY_SIMULATE_STORY_HPP

#include "simulate/time.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay {

/// 0 -> "A", 25 -> "Z", 26 -> "AA", as the columns of a table are named.
std::string letter_of(std::int64_t index);

/// "A, B, C", or "A, B, C, ... (40)" where they are more than `most`.
std::string letters_of(const std::vector<std::int64_t>& indices, std::size_t most = 8);

class Story {
  public:
    void tell(Time at, std::string text) { events_.emplace_back(at, std::move(text)); }

    /// A line an event, in the order of telling, times aligned; an event at the time of the one before has none.
    std::vector<std::string> lines() const;

  private:
    std::vector<std::pair<Time, std::string>> events_;
};

} // namespace assay

#endif
