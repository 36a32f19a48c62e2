// The judge's side of the memory it shares with a worker: where tensors lie between guard pages, what was there before
// the call, and what the call did to it.
#ifndef ASSAY_ATTEMPT_ARENA_HPP
#define ASSAY_ATTEMPT_ARENA_HPP

#include "core/array.hpp"
#include "core/caller.hpp"
#include "core/finding.hpp"
#include "core/outcome.hpp"
#include "wire/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay {

/// A memfd of fixed size (sealed: a worker that shrank it could crash the judge), mapped by both sides. Page 0 is the
/// control page; a call's tensors follow, each in pages of its own with an unmapped page on both sides.
class Arena {
  public:
    static Outcome<std::unique_ptr<Arena>> make(std::size_t bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    int descriptor() const { return descriptor_; }
    ControlPage& control() { return *reinterpret_cast<ControlPage*>(base_); }

    /// Forgets the tensors of the last call. `poison` picks one of two patterns, so that two calls differ in what an
    /// unwritten output holds; `flush_start`: tensors begin at a page's start, else they end at a page's end.
    void begin_call(int poison, bool flush_start);

    /// Lays `array` down. Inputs are copied in, outputs filled with poison, the rest of the pages with a canary.
    /// `array` must outlive the call. The failure (JE) says that the arena is too small.
    Outcome<Region> place(const std::string& name, const Array& array, Mode mode);

    /// After the call: changed inputs, unwritten outputs, bytes written beside a tensor.
    std::vector<Finding> inspect() const;

    /// Of all that a call may write, as it is now; by a key that no worker knows.
    std::uint64_t outputs_hash() const;

    /// The tensor placed `index`-th as it is now.
    Array read(std::size_t index) const;

    /// From its start to the end of the latest call's tensors.
    std::uint64_t used_bytes() const { return static_cast<std::uint64_t>(next_); }

    /// Of all calls so far: bytes of the pages that any tensor lay in.
    std::int64_t touched_bytes() const;

    std::size_t placed() const { return tensors_.size(); }
    const Region& region(std::size_t index) const { return tensors_[index].region; }

    /// What lies at this offset, for a crash report: "12 bytes past the end of `k`", "of `k` from host code: ..."; ""
    /// where nothing near does.
    std::string describe(std::int64_t offset) const;

  private:
    struct Placed {
        std::string name;
        const Array* array = nullptr;
        Mode mode = Mode::in;
        Region region;
    };

    Arena() = default;
    void inspect_one(const Placed& tensor, std::vector<Finding>& findings) const;
    bool canary_intact(const Placed& tensor) const;

    int descriptor_ = -1;
    std::byte* base_ = nullptr;
    std::size_t bytes_ = 0;
    std::int64_t next_ = 0;
    int poison_ = 0;
    std::uint64_t key_ = 0;
    bool flush_start_ = false;
    std::vector<Placed> tensors_;
    std::vector<bool> touched_; // a page each
};

} // namespace assay

#endif
