#include "simulate/story.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay {

std::string letter_of(std::int64_t index) {
    std::string letters;
    for (std::int64_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
    return letters;
}

std::string letters_of(const std::vector<std::int64_t>& indices, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, indices.size()); ++i)
        text += (i == 0 ? "" : ", ") + letter_of(indices[i]);
    if (indices.size() > most) text += fmt::format(", ... ({})", indices.size());
    return text;
}

std::vector<std::string> Story::lines() const {
    std::size_t width = 0;
    for (const auto& [at, text] : events_) width = std::max(width, fmt::format("t = {}", text_of(at)).size());
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const bool same = i > 0 && events_[i].first == events_[i - 1].first;
        lines.push_back(
            fmt::format("{:<{}}  {}", same ? "" : "t = " + text_of(events_[i].first), width, events_[i].second));
    }
    return lines;
}

} // namespace assay
