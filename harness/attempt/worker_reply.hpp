// What a worker says, read as a stranger's words: of the right form, or nothing.
#ifndef ASSAY_ATTEMPT_WORKER_REPLY_HPP
#define ASSAY_ATTEMPT_WORKER_REPLY_HPP

#include "core/caller.hpp"
#include "core/device_times.hpp"
#include "wire/protocol.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay {

struct Hello {
    std::string load_error; // why the attempt could not be loaded; then `has` is empty
    bool loaded = false;
    std::vector<bool> has; // by function of the contract
};

/// Nothing where the message is no hello of a worker with so many functions.
std::optional<Hello> read_hello(std::span<const char> message, std::size_t functions);

struct Reply {
    Status status = Status::done;
    std::string type, text;      // of an exception, or of what was wrong with the call
    std::vector<double> results; // where done: the record's fields, then each list as its length and its items' fields,
                                 // then a ranked function's ranked_results
};

/// Nothing where the message is no answer to a call of this function.
std::optional<Reply> read_reply(std::span<const char> message, const Signature& function, std::int64_t ranks);

/// Whether a timed turn's first word is said.
bool is_ready(std::span<const char> message);

/// What the worker tells at a turn's end; nothing where the message says something else.
std::optional<DeviceTurn> read_turn(std::span<const char> message);

} // namespace assay

#endif
