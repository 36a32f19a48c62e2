#include "oracle_runs.hpp"

#include "core/items.hpp"
#include "oracle_rarest.hpp"
#include "simulate/policy.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace assay::broadcast_judge {

namespace {

constexpr std::int64_t small_enough = 5000; // copies, for playing mistakes: some milliseconds

Array row(const std::vector<std::int64_t>& numbers) {
    const std::vector<double> values(numbers.begin(), numbers.end());
    return Array::of(Dtype::i64, {static_cast<std::int64_t>(values.size())}, values);
}

/// The attempt's planner behind its contract.
class Asked final : public Planner {
  public:
    Asked(Caller& caller, const Setting& s, const Disk& disk)
        : object_(caller, "planner", s.faults ? "resume_planner" : "make_planner", arguments(s, disk)) {}

    std::vector<Send> next(std::int64_t slot, const std::vector<std::int64_t>& failed,
                           const std::vector<std::int64_t>& died) override {
        const Array list = object_.call("next", {slot, row(failed), row(died)}, 1).front();
        std::vector<Send> sends;
        for (std::int64_t i = 0; i < list.extents[0]; ++i)
            sends.push_back({at(list, i, 0), at(list, i, 1), at(list, i, 2)});
        return sends;
    }
    void stop() override { object_.destroy(); }

  private:
    PolicyObject object_;

    static std::vector<Value> arguments(const Setting& s, const Disk& disk) {
        std::vector<Value> values{s.receivers, s.chunks, s.rack_size, s.uplink};
        const std::vector<double> states(disk.begin(), disk.end());
        if (s.faults) values.emplace_back(Array::of(Dtype::i32, {s.receivers + 1, s.chunks}, states));
        return values;
    }
    /// Whatever a float64 holds of the attempt's 64 bits; none of its larger numbers is a node or a chunk.
    static std::int64_t at(const Array& list, std::int64_t item, std::int64_t field) {
        const double x = list.stored(item * 3 + field);
        return x >= -1e15 && x <= 1e15 ? static_cast<std::int64_t>(x) : -1;
    }
};

Array number(std::int64_t x) {
    const double value = static_cast<double>(x);
    return Array::of(Dtype::i64, {}, std::span(&value, 1));
}

Outputs outputs_of(const World& world) {
    std::vector<double> notes;
    for (const Note& note : world.notes())
        for (const std::int64_t x : {note.slot, note.kind, note.from, note.to, note.chunk})
            notes.push_back(static_cast<double>(x));
    Outputs outputs;
    outputs.arrays.emplace_back("broken", number(static_cast<std::int64_t>(world.broken())));
    outputs.arrays.emplace_back("slots", number(world.slots()));
    outputs.arrays.emplace_back("missing", number(world.missing()));
    outputs.arrays.emplace_back("wrong", row({world.wrong().from, world.wrong().to, world.wrong().chunk}));
    outputs.arrays.emplace_back("notes",
                                Array::of(Dtype::i64, {static_cast<std::int64_t>(world.notes().size()), 5}, notes));
    return outputs;
}

/// As README.md lists them.
const char* const rules =
    "0 nothing, 1 there is no such node or chunk, or a node sends to itself, 2 a node sends twice in a slot, 3 a node "
    "receives twice in a slot, 4 the sender has not got the chunk, 5 the sender gets the chunk only in this slot, 6 "
    "the "
    "receiver has the chunk, 7 an uplink carries more than its chunks in a slot, 8 a second copy of a chunk enters a "
    "rack, 9 nothing is sent, and somebody lacks a chunk, 10 late: only the source sent, 11 late: nobody sent before "
    "having everything, 12 late: each node sent to one other alone, 13 late: many nodes that have a quarter of the "
    "file "
    "never sent, 14 late: every node got the chunks in order, 15 late, 16 a dead node sends or is sent to, 17 a chunk "
    "that failed counts as received, 18 unverified bytes count as received, 19 what was verified before the restart is "
    "sent again";

Truths truths(Broken broken) { return Items().choice("broken", static_cast<std::int64_t>(broken), rules).take(); }

/// "2 to 3 (chunk 0), ...": the sends of one slot.
std::string sends_text(const std::vector<Note>& notes) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, notes.size()); ++i)
        text += fmt::format("{}{} to {} chunk {}", i == 0 ? "" : ", ", notes[i].from, notes[i].to, notes[i].chunk);
    if (notes.size() > most) text += fmt::format(", ... ({} sends)", notes.size());
    return text;
}

class Telling {
  public:
    Telling(const Setting& setting, const Outputs& outputs) : s_(setting) {
        const auto one = [&](const char* name) { return static_cast<std::int64_t>(outputs.find(name)->stored(0)); };
        broken_ = static_cast<Broken>(one("broken"));
        slots_ = one("slots");
        missing_ = one("missing");
        const Array& wrong = *outputs.find("wrong");
        wrong_ = {whole(wrong, 0), whole(wrong, 1), whole(wrong, 2)};
        const Array& notes = *outputs.find("notes");
        for (std::int64_t i = 0; i < notes.extents[0]; ++i)
            notes_.push_back({whole(notes, 5 * i), whole(notes, 5 * i + 1), whole(notes, 5 * i + 2),
                              whole(notes, 5 * i + 3), whole(notes, 5 * i + 4)});
    }

    std::vector<std::string> lines() {
        for (std::int64_t slot = 1; slot <= slots_ && !notes_.empty(); ++slot) tell_slot(slot);
        tell(slots_, ending());
        return std::move(lines_);
    }

  private:
    const Setting& s_;
    Broken broken_ = Broken::none;
    std::int64_t slots_ = 0, missing_ = 0;
    Send wrong_;
    std::vector<Note> notes_;
    std::vector<std::string> lines_;

    static std::int64_t whole(const Array& array, std::int64_t i) { return static_cast<std::int64_t>(array.stored(i)); }
    void tell(std::int64_t slot, const std::string& text) {
        const auto width = fmt::format("t = {}", slots_).size();
        lines_.push_back(fmt::format("{:<{}}  {}", fmt::format("t = {}", slot), width, text));
    }

    void tell_slot(std::int64_t slot) {
        std::vector<Note> sent, failed;
        for (const Note& note : notes_) {
            if (note.slot != slot) continue;
            if (note.kind == Note::sent) sent.push_back(note);
            if (note.kind == Note::failed) failed.push_back(note);
            if (note.kind == Note::died) tell(slot, fmt::format("node {} dies", note.from));
        }
        if (!sent.empty()) tell(slot, sends_text(sent));
        if (!failed.empty()) tell(slot, "does not come through: " + sends_text(failed));
        for (const Note& note : notes_)
            if (note.slot == slot && note.kind == Note::restarted)
                tell(slot, "everything stops and starts anew; what this slot brought is unverified");
    }

    std::string rack_text(std::int64_t node) const {
        return s_.rack_of(node) < 0 ? "" : fmt::format(" (rack {})", s_.rack_of(node));
    }

    /// When `node` last got `chunk`, or failed to.
    std::int64_t when(std::int64_t node, std::int64_t chunk) const {
        std::int64_t slot = 0;
        for (const Note& note : notes_)
            if (note.to == node && note.chunk == chunk && (note.kind == Note::sent || note.kind == Note::failed))
                slot = note.slot;
        return slot;
    }
    std::string at(std::int64_t node, std::int64_t chunk) const {
        const std::int64_t slot = when(node, chunk);
        return slot == 0 ? "" : fmt::format(" in slot {}", slot);
    }

    std::string ending() const {
        const auto [from, to, chunk] = wrong_;
        const std::string sends =
            fmt::format("{}{} sends {}{} chunk {}", from, rack_text(from), to, rack_text(to), chunk);
        const std::string lack = fmt::format("{} {} still missing", missing_, missing_ == 1 ? "copy is" : "copies are");
        const bool idles = from == to; // no send was wrong
        switch (broken_) {
        case Broken::none: return fmt::format("done, {} slots for a bound of {}", slots_, s_.bound());
        case Broken::address: return sends + ": there is no such node or chunk, or it is the sender itself";
        case Broken::two_sends: return sends + ", its second send in this slot";
        case Broken::two_receipts: return sends + ", which receives another chunk in this slot";
        case Broken::unheld: return sends + ", which it never got";
        case Broken::same_slot: return sends + ", which it is only receiving in this slot";
        case Broken::sent_again: return sends + ", which has it" + (to == 0 ? " as the source" : at(to, chunk));
        case Broken::uplink:
            return sends + fmt::format(": more than the {} that an uplink carries in a slot", s_.uplink);
        case Broken::second_copy: return sends + ", a chunk that this rack has or is just getting";
        case Broken::idle: return "nothing is sent, but " + lack;
        case Broken::dead: return sends + ", and one of the two is dead, as was told";
        case Broken::failed_kept:
            return idles ? "nothing is sent, but " + lack + ": a send that failed was not made good"
                         : sends + ", which did not come through to it" + at(from, chunk);
        case Broken::unverified:
            return idles ? "nothing is sent, but " + lack + ": bytes that nobody verified count as a chunk"
                         : sends + ", which it has not verified";
        case Broken::fetched_again: return sends + ", which that node had verified before the restart";
        case Broken::source_only: return late(lack) + "; only the source ever sent";
        case Broken::whole_file: return late(lack) + "; nobody passed on a chunk before having all of them";
        case Broken::chain: return late(lack) + "; each node sent to one other alone, a chain";
        case Broken::leaves: return late(lack) + "; three in ten or more of the nodes with chunks never sent any";
        case Broken::in_order: return late(lack) + "; each node got the chunks in order, so all wait for the same";
        case Broken::late: return late(lack);
        }
        return lack;
    }
    std::string late(const std::string& lack) const {
        return fmt::format("{} in the {} slots allowed (bound {}): {}",
                           slots_ < s_.allowed() ? "can't be done any more" : "not done", s_.allowed(), s_.bound(),
                           lack);
    }
};

} // namespace

Outcome<Outputs> play_attempt(Caller& caller, const Problem& problem) {
    const Setting setting = setting_of(problem);
    return simulated([&] {
        World world(setting, [&](const Disk& disk) { return std::make_unique<Asked>(caller, setting, disk); });
        world.play();
        return outputs_of(world);
    });
}

std::optional<Truths> run_truths(const Problem& problem, const Slips& on) {
    if (on.none()) return truths(Broken::none);
    const Setting setting = setting_of(problem);
    if (setting.receivers * setting.chunks > small_enough) return std::nullopt;
    if ((on("one-chain") || on("one-tree")) && (setting.faults || setting.rack_size > 0)) return std::nullopt;
    World world(setting, [&](const Disk& disk) { return rarest_first(setting, disk, on); });
    world.play();
    return truths(world.broken());
}

std::string shown_by(const Problem& problem, const Outputs& outputs) {
    if (!is_run(problem)) return "";
    switch (static_cast<Broken>(static_cast<std::int64_t>(outputs.find("broken")->stored(0)))) {
    case Broken::address: return "wrong-address";
    case Broken::two_sends: return "many-at-once";
    case Broken::two_receipts: return "two-receipts";
    case Broken::unheld:
    case Broken::same_slot: return "sends-unheld";
    case Broken::sent_again: return "sends-again";
    case Broken::uplink: return "uplink-overrun";
    case Broken::second_copy: return "copy-per-worker";
    case Broken::idle: return "idle-slot";
    case Broken::source_only: return "source-serves-all";
    case Broken::whole_file: return "waits-for-the-file";
    case Broken::chain: return "one-chain";
    case Broken::leaves: return "one-tree";
    case Broken::in_order: return "in-order";
    case Broken::dead: return "dead-served";
    case Broken::failed_kept: return "failed-kept";
    case Broken::unverified: return "trusts-unverified";
    case Broken::fetched_again: return "starts-over";
    case Broken::none:
    case Broken::late: break;
    }
    return "";
}

std::vector<std::string> story_of(const Problem& problem, const Outputs& outputs) {
    if (!is_run(problem) || outputs.find("notes") == nullptr) return {};
    return Telling(setting_of(problem), outputs).lines();
}

} // namespace assay::broadcast_judge
