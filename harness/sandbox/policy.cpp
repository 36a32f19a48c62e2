// Numbers as they lie in memory, texts after their length: both sides are built together and run on one machine.
#include "sandbox/policy.hpp"

#include <cstring>

namespace assay {

namespace {

constexpr std::int64_t format = 0x61737379'0001; // changes with the fields

class Packer {
  public:
    void field(std::int64_t number) { raw(&number, sizeof number); }
    void field(std::uint64_t number) { raw(&number, sizeof number); }
    void field(bool flag) { field(static_cast<std::int64_t>(flag)); }
    void field(const std::string& text) {
        field(static_cast<std::int64_t>(text.size()));
        bytes += text;
    }
    void field(FileRule::Kind kind) { field(static_cast<std::int64_t>(kind)); }
    void field(const FileRule& rule) { field(rule.path), field(rule.kind); }
    void field(const ResourceLimit& limit) { field(limit.resource), field(limit.soft), field(limit.hard); }
    template <class Item> void field(const std::vector<Item>& items) {
        field(static_cast<std::int64_t>(items.size()));
        for (const Item& item : items) field(item);
    }
    std::string bytes;

  private:
    void raw(const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
    void field(std::int64_t& number) { raw(&number, sizeof number); }
    void field(std::uint64_t& number) { raw(&number, sizeof number); }
    void field(bool& flag) {
        std::int64_t number = 0;
        field(number);
        flag = number != 0;
    }
    void field(std::string& text) {
        const std::size_t size = count();
        text = rest_.substr(0, size);
        rest_.remove_prefix(size);
    }
    void field(FileRule::Kind& kind) {
        std::int64_t number = 0;
        field(number);
        kind = static_cast<FileRule::Kind>(number);
        if (number < 0 || number > static_cast<std::int64_t>(FileRule::Kind::device)) fail();
    }
    void field(FileRule& rule) { field(rule.path), field(rule.kind); }
    void field(ResourceLimit& limit) { field(limit.resource), field(limit.soft), field(limit.hard); }
    template <class Item> void field(std::vector<Item>& items) {
        items.resize(count());
        for (Item& item : items) field(item);
    }
    bool finished() const { return ok_ && rest_.empty(); }

  private:
    std::string_view rest_;
    bool ok_ = true;

    void fail() {
        ok_ = false;
        rest_ = {};
    }
    void raw(void* data, std::size_t size) {
        if (rest_.size() < size) return fail();
        std::memcpy(data, rest_.data(), size);
        rest_.remove_prefix(size);
    }
    /// Of items or bytes, none of which takes less than a byte.
    std::size_t count() {
        std::int64_t number = 0;
        field(number);
        if (number < 0 || static_cast<std::uint64_t>(number) > rest_.size()) {
            fail();
            return 0;
        }
        return static_cast<std::size_t>(number);
    }
};

/// The order of the fields, said once.
template <class Stream, class P> void all_fields(Stream& stream, P& policy) {
    stream.field(policy.arguments);
    stream.field(policy.environment);
    stream.field(policy.folder);
    stream.field(policy.user);
    stream.field(policy.cgroups);
    stream.field(policy.landlock);
    stream.field(policy.files);
    stream.field(policy.filter);
    stream.field(policy.filter_asks);
    stream.field(policy.own_signals_only);
    stream.field(policy.forbidden);
    stream.field(policy.limits);
}

} // namespace

std::string encoded(const Policy& policy) {
    Packer packer;
    packer.field(format);
    all_fields(packer, policy);
    return std::move(packer.bytes);
}

std::optional<Policy> decoded(std::string_view bytes) {
    Unpacker unpacker(bytes);
    std::int64_t found = 0;
    unpacker.field(found);
    Policy policy;
    all_fields(unpacker, policy);
    if (found != format || !unpacker.finished() || policy.arguments.empty()) return std::nullopt;
    return policy;
}

} // namespace assay
