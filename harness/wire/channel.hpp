// Whole messages over a SOCK_SEQPACKET pair: the kernel keeps message boundaries, so there is no length to forge.
#ifndef ASSAY_WIRE_CHANNEL_HPP
#define ASSAY_WIRE_CHANNEL_HPP

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace assay {

/// Longest message either side may send; a longer one is refused by both.
inline constexpr std::size_t longest_message = 64 << 10;

/// A connected pair of channel ends, both close-on-exec; (-1, -1) where the system has none left.
std::pair<int, int> make_channel();

/// False where the other end is gone or the message is too long.
bool send_message(int channel, std::span<const char> bytes);

enum class Received { message, closed, too_long, nothing };

/// Takes one message; `nothing` only where `wait` is false and none has come.
Received receive_message(int channel, std::vector<char>& bytes, bool wait);

} // namespace assay

#endif
