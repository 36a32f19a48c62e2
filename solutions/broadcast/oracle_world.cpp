#include "oracle_world.hpp"

#include "core/random.hpp"
#include "oracle_routes.hpp"

#include <algorithm>

namespace assay::broadcast_judge {

namespace {

constexpr std::int64_t most_nodes = 2000, most_chunks = 2000; // a slot's list stays far below what a message may hold
constexpr std::int64_t told_in_full = 4000;                   // copies; of a longer run the story tells the end alone
constexpr std::int64_t many = -2;                             // children

std::int64_t percent_of(std::int64_t x, std::int64_t percent) { return x * percent / 100; }

} // namespace

std::int64_t Setting::bound() const { return chunks + log2_floor(survivors()); }

std::int64_t Setting::allowed() const {
    const std::int64_t few = bound() + (faults ? 60 : 4 * log2_floor(survivors()) + 4);
    return std::max(few, percent_of(bound(), faults || rack_size > 0 ? 125 : 115));
}

Setting setting_of(const Problem& problem) {
    Setting s;
    s.receivers = problem.integer("receivers");
    s.chunks = problem.integer("chunks");
    s.faults = problem.route == "resume_planner";
    if (s.faults) {
        s.corrupt = problem.integer("corrupt_percent");
        s.deaths = problem.integer("deaths");
        s.restart = problem.integer("restart_after");
        s.draws = problem.integer("draws");
    } else {
        s.rack_size = problem.integer("rack_size");
        s.uplink = problem.integer("uplink");
    }
    return s;
}

bool playable(const Setting& s) {
    return within(s.receivers, 1, most_nodes) && within(s.chunks, 1, most_chunks) &&
           within(s.rack_size, 0, most_nodes) && within(s.uplink, s.rack_size > 0 ? 1 : 0, most_nodes) &&
           within(s.corrupt, 0, 40) && within(s.deaths, 0, s.receivers - 1) && s.restart >= 0 && s.draws >= 0;
}

World::World(const Setting& setting, MakePlanner make)
    : setting_(setting), make_(std::move(make)), missing_(setting.receivers * setting.chunks) {
    const auto nodes = static_cast<std::size_t>(setting.receivers + 1);
    const auto chunks = static_cast<std::size_t>(setting.chunks), racks = static_cast<std::size_t>(setting.racks());
    state_.assign(nodes * chunks, absent);
    std::fill_n(state_.begin(), chunks, verified);
    before_.assign(nodes * chunks, 0);
    dies_.assign(nodes, 0);
    lacks_.assign(nodes, setting.chunks);
    lacks_[0] = 0;
    dead_.assign(nodes, 0);
    sent_in_.assign(nodes, 0);
    received_in_.assign(nodes, 0);
    rack_has_.assign(racks * chunks, 0);
    rack_gets_.assign(racks * chunks, 0);
    rack_in_.assign(racks, 0);
    rack_out_.assign(racks, 0);
    only_child_.assign(nodes, -1);
    first_sent_with_.assign(nodes, -1);
    last_chunk_.assign(nodes, -1);
    in_order_.assign(nodes, 1);
    draw_deaths();
}

void World::draw_deaths() {
    Random random(static_cast<std::uint64_t>(setting_.draws), "deaths");
    for (std::int64_t i = 0; i < setting_.deaths;) {
        const auto node = static_cast<std::size_t>(random.integer(1, setting_.receivers));
        if (dies_[node] != 0) continue;
        dies_[node] = random.integer(1, setting_.chunks);
        ++i;
    }
}

void World::play() {
    Disk disk(state_.size(), 0);
    std::fill_n(disk.begin(), setting_.chunks, static_cast<std::int32_t>(verified));
    planner_ = make_(disk);
    schedule(1, 0, {});
    run(setting_.allowed() + 1);
    planner_->stop();
}

void World::end(Broken broken) {
    broken_ = broken;
    break_promise(static_cast<int>(broken), "");
}

void World::happen(const Slot&) {
    ++slot_;
    const std::vector<Send> sends = planner_->next(slot_, failed_, died_);
    failed_.clear();
    died_.clear();
    std::fill(rack_in_.begin(), rack_in_.end(), 0);
    std::fill(rack_out_.begin(), rack_out_.end(), 0);
    for (std::size_t i = 0; i < sends.size(); ++i) {
        if (const Broken broken = check(sends[i], sends); broken != Broken::none) {
            wrong_ = sends[i];
            for (std::size_t j = 0; j < i; ++j) note({slot_, Note::sent, sends[j].from, sends[j].to, sends[j].chunk});
            return end(broken);
        }
        note_use(sends[i]);
    }
    if (sends.empty()) return end(why_idle());
    die();
    deliver(sends);
    if (missing_ == 0) return;
    if (slot_ == setting_.allowed() || hopeless()) return end(why_late());
    if (slot_ == setting_.restart) restart(sends);
    schedule(now() + 1, 0, {});
}

Broken World::check(const Send& send, const std::vector<Send>& all) {
    const auto [from, to, chunk] = send;
    if (!within(from, 0, setting_.receivers) || !within(to, 0, setting_.receivers) || from == to ||
        !within(chunk, 0, setting_.chunks - 1))
        return Broken::address;
    const auto sender = static_cast<std::size_t>(from), receiver = static_cast<std::size_t>(to);
    if (dead_[sender] != 0 || dead_[receiver] != 0) return Broken::dead;
    const std::uint8_t held = state_[at(from, chunk)];
    if (held == unverified) return Broken::unverified;
    const auto arrives = [&](const Send& other) { return other.to == send.from && other.chunk == send.chunk; };
    if (held != verified && std::any_of(all.begin(), all.end(), arrives)) return Broken::same_slot;
    if (held == failed) return Broken::failed_kept;
    if (held != verified) return Broken::unheld;
    if (state_[at(to, chunk)] == verified)
        return before_[at(to, chunk)] != 0 && to != 0 ? Broken::fetched_again : Broken::sent_again;
    if (sent_in_[sender] == slot_) return Broken::two_sends;
    if (received_in_[receiver] == slot_) return Broken::two_receipts;
    if (const Broken broken = check_racks(send); broken != Broken::none) return broken;
    sent_in_[sender] = received_in_[receiver] = slot_;
    return Broken::none;
}

Broken World::check_racks(const Send& send) {
    const std::int64_t out = setting_.rack_of(send.from), in = setting_.rack_of(send.to);
    if (in == out) return Broken::none;
    const auto entry = static_cast<std::size_t>(in * setting_.chunks + send.chunk);
    if (rack_has_[entry] > 0 || rack_gets_[entry] == slot_) return Broken::second_copy;
    if (rack_in_[static_cast<std::size_t>(in)]++ == setting_.uplink) return Broken::uplink;
    if (out >= 0 && rack_out_[static_cast<std::size_t>(out)]++ == setting_.uplink) return Broken::uplink;
    rack_gets_[entry] = slot_;
    return Broken::none;
}

void World::note_use(const Send& send) {
    const auto from = static_cast<std::size_t>(send.from);
    if (from == 0) ++source_sends_;
    if (first_sent_with_[from] < 0) first_sent_with_[from] = setting_.chunks - lacks_[from];
    std::int64_t& child = only_child_[from];
    child = child == -1 || child == send.to ? send.to : many;
}

void World::note(Note note) {
    if (setting_.receivers * setting_.chunks <= told_in_full) notes_.push_back(note);
}

void World::die() {
    for (std::int64_t node = 1; node <= setting_.receivers; ++node) {
        const auto i = static_cast<std::size_t>(node);
        if (dies_[i] != slot_) continue;
        dead_[i] = 1;
        died_.push_back(node);
        missing_ -= lacks_[i];
        note({slot_, Note::died, node});
    }
}

void World::deliver(const std::vector<Send>& sends) {
    for (std::size_t i = 0; i < sends.size(); ++i) {
        const Send& send = sends[i];
        bool fine = dead_[static_cast<std::size_t>(send.from)] == 0 && dead_[static_cast<std::size_t>(send.to)] == 0;
        if (fine && setting_.corrupt > 0) {
            const auto draw = static_cast<std::uint64_t>((setting_.draws * 100'003 + slot_) * 4001 + send.to);
            fine = Random(draw, "corrupt").integer(0, 99) >= setting_.corrupt;
        }
        note({slot_, fine ? Note::sent : Note::failed, send.from, send.to, send.chunk});
        receive(send, fine);
        if (!fine) failed_.push_back(static_cast<std::int64_t>(i));
    }
}

void World::receive(const Send& send, bool fine) {
    std::uint8_t& state = state_[at(send.to, send.chunk)];
    const auto to = static_cast<std::size_t>(send.to);
    if (!fine) {
        if (dead_[to] == 0) state = failed;
        return;
    }
    state = verified;
    --lacks_[to];
    --missing_;
    if (send.chunk != last_chunk_[to] + 1) in_order_[to] = 0;
    last_chunk_[to] = send.chunk;
    if (setting_.rack_size > 0)
        ++rack_has_[static_cast<std::size_t>(setting_.rack_of(send.to) * setting_.chunks + send.chunk)];
}

void World::restart(const std::vector<Send>& sends) {
    planner_->stop();
    for (const Send& send : sends) {
        const auto to = static_cast<std::size_t>(send.to);
        if (dead_[to] != 0) continue;
        std::uint8_t& state = state_[at(send.to, send.chunk)];
        if (state == verified) {
            ++lacks_[to];
            ++missing_;
        }
        state = unverified;
    }
    Disk disk(state_.size(), 0);
    for (std::size_t i = 0; i < state_.size(); ++i) {
        before_[i] = state_[i] == verified ? 1 : 0;
        disk[i] = state_[i] == failed ? 0 : state_[i];
        if (state_[i] == failed) state_[i] = absent;
    }
    note({slot_, Note::restarted});
    failed_.clear();
    died_.clear();
    for (std::int64_t node = 1; node <= setting_.receivers; ++node)
        if (dead_[static_cast<std::size_t>(node)] != 0) died_.push_back(node);
    planner_ = make_(disk);
}

/// A large run ends as soon as its receivers' links can't make up for what is missing: the rest would take long to
/// play.
bool World::hopeless() const {
    if (setting_.receivers * setting_.chunks <= 10 * told_in_full) return false;
    const std::int64_t living = setting_.receivers - std::count(dead_.begin(), dead_.end(), char{1});
    return missing_ > (setting_.allowed() - slot_) * living;
}

/// What seems to have been forgotten is asked for once more: whoever sends it now has only let a slot pass.
Broken World::why_idle() {
    if (!planner_->next(slot_ + 1, {}, {}).empty()) return Broken::idle;
    for (std::int64_t node = 1; node <= setting_.receivers; ++node)
        for (std::int64_t chunk = 0; chunk < setting_.chunks; ++chunk) {
            const std::uint8_t state = state_[at(node, chunk)];
            if (dead_[static_cast<std::size_t>(node)] != 0) continue;
            if (state == failed) return Broken::failed_kept;
            if (state == unverified) return Broken::unverified;
        }
    return Broken::idle;
}

Broken World::why_late() const {
    std::int64_t senders = 0, with_all = 0, with_one = 0, holders = 0, idle = 0, ordered = 0;
    for (std::size_t node = 1; node < lacks_.size(); ++node) {
        const bool sends = first_sent_with_[node] >= 0;
        if (sends) ++senders;
        if (sends && first_sent_with_[node] == setting_.chunks) ++with_all;
        if (sends && only_child_[node] != many) ++with_one;
        if (in_order_[node] != 0) ++ordered;
        if (4 * (setting_.chunks - lacks_[node]) < setting_.chunks) continue;
        ++holders;
        if (!sends) ++idle;
    }
    if (senders == 0) return Broken::source_only;
    if (setting_.chunks > 1 && with_all == senders) return Broken::whole_file;
    if (with_one == senders && only_child_[0] != many && senders > 1) return Broken::chain;
    if (holders > 3 && 10 * idle >= 3 * holders) return Broken::leaves;
    if (ordered == setting_.receivers) return Broken::in_order;
    return Broken::late;
}

} // namespace assay::broadcast_judge
