// Messages between judge and worker: flat sequences of msgpack values, written in order and read back in order.
// msgpack itself appears in message.cpp alone (its header costs seconds a file).
#ifndef ASSAY_WIRE_MESSAGE_HPP
#define ASSAY_WIRE_MESSAGE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class Writer {
  public:
    Writer();
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void nil();
    void boolean(bool value);
    void integer(std::int64_t value);
    void number(double value);
    void text(std::string_view value);

    std::span<const char> bytes() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Reads what the other side wrote, trusting nothing: a value of another type, out of its range or missing makes the
/// reader fail for good; every read after that gives a zero. Check ok() before using what was read.
class Reader {
  public:
    explicit Reader(std::span<const char> bytes);
    ~Reader();
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;

    /// True, and consumed, where the next value is nil.
    bool take_nil();
    bool boolean();
    std::int64_t integer(std::int64_t low, std::int64_t high);
    double number();
    std::string text(std::size_t most);

    /// Marks the message as unusable for a reason of the caller's own.
    void fail(std::string_view why);
    bool ok() const;
    /// Nothing is left to read (a message with more than was expected is as wrong as one with less).
    bool finished() const;
    const std::string& error() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace assay

#endif
