#include "attempt/worker_reply.hpp"

#include "wire/channel.hpp"
#include "wire/message.hpp"

#include <iterator>
#include <limits>

namespace assay {

namespace {

constexpr std::int64_t longest_list = longest_message; // an item takes a byte at least

double read_number(Reader& reader, const Parameter& field) {
    switch (field.kind) {
    case Parameter::Kind::boolean: return reader.boolean() ? 1 : 0;
    case Parameter::Kind::integer:
        return static_cast<double>(
            reader.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
    default: return reader.number();
    }
}

std::vector<double> read_results(Reader& reader, const Signature& function, std::int64_t ranks) {
    std::vector<double> results;
    for (const Parameter& field : function.results) results.push_back(read_number(reader, field));
    for (const Parameter& parameter : function.parameters) {
        if (parameter.kind != Parameter::Kind::list) continue;
        const std::int64_t count = reader.integer(0, longest_list);
        results.push_back(static_cast<double>(count));
        for (std::int64_t i = 0; i < count && reader.ok(); ++i)
            for (const Parameter& field : parameter.items) results.push_back(read_number(reader, field));
    }
    if (function.ranked)
        for (std::int64_t i = 0; i < ranks * static_cast<std::int64_t>(std::size(ranked_results)); ++i)
            results.push_back(reader.number());
    return results;
}

} // namespace

std::optional<Hello> read_hello(std::span<const char> message, std::size_t functions) {
    Reader reader(message);
    Hello hello;
    if (reader.integer(protocol_version, protocol_version) != protocol_version) return std::nullopt;
    const std::int64_t count = reader.integer(-1, static_cast<std::int64_t>(functions));
    if (count < 0) {
        hello.load_error = reader.text(4096);
        return reader.ok() && reader.finished() ? std::optional(hello) : std::nullopt;
    }
    if (count != static_cast<std::int64_t>(functions)) return std::nullopt;
    for (std::size_t i = 0; i < functions; ++i) hello.has.push_back(reader.boolean());
    hello.loaded = true;
    return reader.ok() && reader.finished() ? std::optional(hello) : std::nullopt;
}

std::optional<Reply> read_reply(std::span<const char> message, const Signature& function, std::int64_t ranks) {
    Reader reader(message);
    Reply reply;
    reply.status = static_cast<Status>(reader.integer(0, last_status));
    reply.type = reader.text(1024);
    reply.text = reader.text(4096);
    if (reply.status == Status::done && reader.ok()) reply.results = read_results(reader, function, ranks);
    if (!reader.ok() || !reader.finished()) return std::nullopt;
    return reply;
}

bool is_ready(std::span<const char> message) {
    constexpr auto ready = static_cast<std::int64_t>(Turn::ready);
    Reader reader(message);
    return reader.integer(ready, ready) == ready && reader.ok() && reader.finished();
}

std::optional<DeviceTurn> read_turn(std::span<const char> message) {
    constexpr auto over = static_cast<std::int64_t>(Turn::over);
    Reader reader(message);
    DeviceTurn turn;
    if (reader.integer(over, over) != over) return std::nullopt;
    turn.events = reader.number();
    turn.host = reader.number();
    return reader.ok() && reader.finished() ? std::optional(turn) : std::nullopt;
}

} // namespace assay
