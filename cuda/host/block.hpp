// One block of a launch: its threads are fibers, run one at a time in the lane order's order; barriers and warps'
// meetings.
#ifndef ASSAY_SIMT_BLOCK_HPP
#define ASSAY_SIMT_BLOCK_HPP

#include "fiber.hpp"
#include "findings.hpp"
#include "lane_order.hpp"

#include <cstdint>
#include <memory>

namespace assay::simt {

class Block {
  public:
    Block(const Kernel& kernel, dim3 extent, LaneOrder order, Findings& findings);

    /// Runs every thread of block `index`. False: a finding ended it, and with it the launch.
    bool run(uint3 index);

    /// The block whose thread is calling; null outside of kernels.
    static Block* running();
    static bool in_stack_guard(const void* address);
    static std::uint64_t switches();

    // What the running thread does.
    void barrier(Where where);
    int barrier_vote(Vote vote, int predicate, Where where);
    void meet(const Meeting& meeting);
    void inactive_source(unsigned lane, unsigned source, const char* operation, unsigned mask, Where where);
    void spin(Where where);
    /// Before a write to `at`: another thread may go first, but where it is the thread's own stack.
    void interrupt(const void* at);
    void progressed() { idle_spins_ = 0; }
    unsigned lane() const { return current_->number % 32; }
    [[noreturn]] void fail(std::string kind, std::string sentence, Where where);

  private:
    enum class State : std::uint8_t { fresh, ready, at_barrier, at_meeting, done };
    struct Thread {
        uint3 index;
        unsigned number; // in the block: x fastest
        State state = State::fresh;
        Fiber* fiber = nullptr;
        Where where{};
        Meeting meeting{};
        int predicate = 0;
    };
    struct Warp {
        unsigned live, waiting; // a bit a lane: not returned; at a meeting
    };

    // block.cpp: who runs next
    static void fiber_main();
    void run_threads(Fiber& self);
    void finish_current();
    void enter(Thread& next, Fiber& from);
    void wait();
    Thread* pick();
    bool refill();
    void new_phase();
    Fiber* free_fiber();
    // meeting.cpp: who may go on, and what is wrong where nobody can
    void release_barrier();
    void complete_meeting(unsigned warp, unsigned mask, void (*finish)(void* const*, unsigned));
    void complete_after_exit(unsigned warp);
    void diagnose_standstill();
    std::string waits_where(const Thread& thread) const;

    const Kernel& kernel_;
    LaneOrder order_;
    Findings& findings_;
    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    unsigned live_ = 0, at_barrier_ = 0;
    int vote_count_ = 0, vote_all_ = 0;
    std::uint64_t idle_spins_ = 0;
    bool failed_ = false, uninterrupted_ = false;
    Thread* current_ = nullptr;
    Fiber outside_;

    // The round: threads that run next, in order. Groups are the warps, or the whole block.
    std::vector<std::uint16_t> round_, groups_;
    std::size_t at_ = 0, group_ = 0;
    unsigned group_size_ = 0;
    bool someone_spins_ = false; // the next round is another group's
};

} // namespace assay::simt

#endif
