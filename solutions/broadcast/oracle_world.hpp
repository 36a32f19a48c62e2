// Levels 4 and 5: the network that a planner's sends go through, slot by slot. It checks every send, delivers, loses
// and kills, and says in which way a run that is too slow wastes its links.
#ifndef ASSAY_BROADCAST_ORACLE_WORLD_HPP
#define ASSAY_BROADCAST_ORACLE_WORLD_HPP

#include "core/exercise.hpp"
#include "simulate/simulation.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace assay::broadcast_judge {

/// What a run breaks. The numbers stand in the statement.
enum class Broken : std::int64_t {
    none,
    address,   // no such node or chunk, to itself
    two_sends, // of one node in one slot
    two_receipts,
    unheld,       // the sender never got the chunk
    same_slot,    // it gets it only in this slot
    sent_again,   // the receiver has it
    uplink,       // more chunks than it carries
    second_copy,  // into a rack that has the chunk
    idle,         // an empty slot while somebody lacks a chunk
    source_only,  // this and the next four: not done in time
    whole_file,   // nobody passes anything on before it has everything
    chain,        // every node sends to one other alone
    leaves,       // many nodes that have chunks never send
    in_order,     // every node gets the chunks in order
    late,         // and none of these
    dead,         // sent to or by a dead node
    failed_kept,  // a chunk that did not come through counts as received
    unverified,   // and one whose checksum was not tested before the stop
    fetched_again // verified before the stop, and sent again after it
};

struct Setting {
    std::int64_t receivers = 1, chunks = 1, rack_size = 0, uplink = 0;
    bool faults = false;                                          // level 5
    std::int64_t corrupt = 0, deaths = 0, restart = 0, draws = 0; // percent of the sends, nodes, slot (0: none), seed

    std::int64_t survivors() const { return receivers - deaths; }
    std::int64_t rack_of(std::int64_t node) const { return rack_size == 0 || node == 0 ? -1 : (node - 1) / rack_size; }
    std::int64_t racks() const { return rack_size == 0 ? 0 : (receivers - 1) / rack_size + 1; }
    /// k + floor(log2 of those who survive): no plan takes fewer slots.
    std::int64_t bound() const;
    std::int64_t allowed() const;
};

/// Of a problem of level 4 or 5.
Setting setting_of(const Problem& problem);
/// Whether the simulator can play it.
bool playable(const Setting& setting);

struct Send {
    std::int64_t from = 0, to = 0, chunk = 0;
};

/// Node by chunk, row-major: 0 absent, 1 unverified, 2 verified.
using Disk = std::vector<std::int32_t>;

/// The policy as the world asks it. Made at the start, and again after a restart.
class Planner {
  public:
    virtual ~Planner() = default;
    virtual std::vector<Send> next(std::int64_t slot, const std::vector<std::int64_t>& failed,
                                   const std::vector<std::int64_t>& died) = 0;
    /// No more calls; an attempt's object is destroyed.
    virtual void stop() {}
};
using MakePlanner = std::function<std::unique_ptr<Planner>(const Disk& disk)>;

/// What is told of a run: slot, kind, and three numbers of its kind.
struct Note {
    enum Kind : std::int64_t { sent, failed, died, restarted };
    std::int64_t slot = 0, kind = sent, from = 0, to = 0, chunk = 0;
};

struct Slot {};

class World final : public Simulation<Slot> {
  public:
    World(const Setting& setting, MakePlanner make);

    void play();
    Broken broken() const { return broken_; }
    std::int64_t slots() const { return slot_; }
    const Send& wrong() const { return wrong_; }
    std::int64_t missing() const { return missing_; }
    std::int64_t source_sends() const { return source_sends_; }
    const std::vector<Note>& notes() const { return notes_; }

  private:
    enum State : std::uint8_t { absent, unverified, verified, failed };
    const Setting setting_;
    MakePlanner make_;
    std::unique_ptr<Planner> planner_;
    std::int64_t slot_ = 0, missing_ = 0, source_sends_ = 0;
    Broken broken_ = Broken::none;
    Send wrong_;
    std::vector<std::uint8_t> state_, before_; // node by chunk; what was verified before the restart
    std::vector<std::int64_t> dies_;           // node -> slot, 0: never
    std::vector<std::int64_t> lacks_;          // node -> chunks
    std::vector<char> dead_;
    std::vector<std::int64_t> failed_, died_; // to be told
    std::vector<std::int64_t> sent_in_, received_in_;
    std::vector<std::int64_t> rack_has_, rack_gets_, rack_in_, rack_out_; // by rack and chunk, by rack
    std::vector<Note> notes_;
    // How each node used its link: for what a late run is told.
    std::vector<std::int64_t> only_child_, first_sent_with_, last_chunk_;
    std::vector<char> in_order_;

    std::size_t at(std::int64_t node, std::int64_t chunk) const {
        return static_cast<std::size_t>(node * setting_.chunks + chunk);
    }
    void draw_deaths();
    void happen(const Slot&) override;
    Broken check(const Send& send, const std::vector<Send>& all);
    Broken check_racks(const Send& send);
    void note_use(const Send& send);
    void deliver(const std::vector<Send>& sends);
    void receive(const Send& send, bool fine);
    void die();
    void restart(const std::vector<Send>& sends);
    void end(Broken broken);
    bool hopeless() const;
    Broken why_idle();
    Broken why_late() const;
    void note(Note note);
};

} // namespace assay::broadcast_judge

#endif
