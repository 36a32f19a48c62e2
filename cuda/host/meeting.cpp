// Barriers and warps' meetings: who may go on, and what is wrong where nobody can.
#include "block.hpp"

#include <cstdio>

namespace assay::simt {

namespace {

std::string hexadecimal(unsigned mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

} // namespace

void Block::barrier(Where where) { barrier_vote(Vote::count, 0, where); }

int Block::barrier_vote(Vote vote, int predicate, Where where) {
    current_->state = State::at_barrier;
    current_->where = where;
    current_->predicate = predicate;
    if (++at_barrier_ == live_) release_barrier();
    wait();
    return vote == Vote::count ? vote_count_ : vote == Vote::all ? vote_all_ : vote_count_ != 0;
}

/// All threads that have not returned have come; those that have are not waited for (programming guide, 7.x and later).
void Block::release_barrier() {
    const Thread* first = nullptr;
    vote_count_ = 0;
    for (Thread& thread : threads_) {
        if (thread.state != State::at_barrier) continue;
        if (first == nullptr) first = &thread;
        if (!same_place(first->where, thread.where))
            fail("divergent-barrier",
                 "divergent barrier: " + thread_name(first->index) + " waits at the barrier in " + place(first->where) +
                     ", " + thread_name(thread.index) + " at the one in " + place(thread.where) +
                     ": all threads of a block must come to the same __syncthreads()",
                 thread.where);
        vote_count_ += thread.predicate != 0 ? 1 : 0;
    }
    vote_all_ = vote_count_ == static_cast<int>(at_barrier_);
    for (Thread& thread : threads_)
        if (thread.state == State::at_barrier) thread.state = State::ready;
    at_barrier_ = 0;
    idle_spins_ = 0;
    new_phase();
}

void Block::meet(const Meeting& meeting) {
    Thread& self = *current_;
    const unsigned lane = self.number % 32, warp = self.number / 32;
    if ((meeting.mask >> lane & 1) == 0)
        fail("mask",
             std::string(meeting.operation) + " in " + place(meeting.where) + " is called by lane " +
                 std::to_string(lane) + ", which its mask " + hexadecimal(meeting.mask) +
                 " leaves out: the mask names every lane that calls",
             meeting.where);
    self.state = State::at_meeting;
    self.where = meeting.where;
    self.meeting = meeting;
    warps_[warp].waiting |= 1u << lane;
    complete_meeting(warp, meeting.mask, meeting.finish);
    wait();
}

void Block::complete_meeting(unsigned warp, unsigned mask, void (*finish)(void* const*, unsigned)) {
    Warp& lanes = warps_[warp];
    const unsigned expected = mask & lanes.live;
    if ((expected & ~lanes.waiting) != 0) return;
    void* slots[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((expected >> lane & 1) == 0) continue;
        const Meeting& theirs = threads_[32 * warp + lane].meeting;
        if (theirs.mask != mask || theirs.finish != finish) return;
        slots[lane] = theirs.slot;
    }
    uninterrupted_ = true; // it writes to what the others handed in
    finish(slots, expected);
    uninterrupted_ = false;
    lanes.waiting &= ~expected;
    idle_spins_ = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (expected >> lane & 1) threads_[32 * warp + lane].state = State::ready;
}

/// A lane has returned: those that waited for it may be all that are left.
void Block::complete_after_exit(unsigned warp) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((warps_[warp].waiting >> lane & 1) == 0) continue;
        const Meeting& theirs = threads_[32 * warp + lane].meeting;
        complete_meeting(warp, theirs.mask, theirs.finish);
    }
}

void Block::inactive_source(unsigned lane, unsigned source, const char* operation, unsigned mask, Where where) {
    const bool named = mask >> source & 1;
    findings_.add({"inactive-lane",
                   std::string(operation) + " in " + place(where) + ": lane " + std::to_string(lane) + " reads lane " +
                       std::to_string(source) + ", which " +
                       (named ? "has returned or does not exist" : "the mask " + hexadecimal(mask) + " leaves out") +
                       ": what it gets is undefined, and poison here",
                   where.file, where.line, kernel_.name, false});
}

std::string Block::waits_where(const Thread& thread) const {
    const std::string who = thread_name(thread.index);
    if (thread.state == State::at_barrier) return who + " waits at the barrier in " + place(thread.where);
    return who + " waits at " + thread.meeting.operation + " in " + place(thread.where) + " with mask " +
           hexadecimal(thread.meeting.mask);
}

/// Nobody can run and somebody has not returned: a meeting waits for a lane that waits elsewhere.
void Block::diagnose_standstill() {
    for (const Thread& thread : threads_) {
        if (thread.state != State::at_meeting) continue;
        const unsigned first = thread.number / 32 * 32;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if ((thread.meeting.mask & warps_[first / 32].live) >> lane == 0) break;
            if (((thread.meeting.mask & warps_[first / 32].live) >> lane & 1) == 0) continue;
            const Thread& other = threads_[first + lane];
            if (other.state == State::at_meeting && other.meeting.mask == thread.meeting.mask &&
                other.meeting.finish == thread.meeting.finish)
                continue;
            findings_.add({"missing-lane",
                           waits_where(thread) + " for lane " + std::to_string(lane) + ", but " + waits_where(other) +
                               ": every lane that the mask names must make the same call",
                           thread.where.file, thread.where.line, kernel_.name, true});
            return;
        }
    }
    findings_.add({"standstill", "no thread of the block can go on", kernel_.name, 0, kernel_.name, true});
}

} // namespace assay::simt
