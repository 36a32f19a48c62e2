// Who runs next. A fiber goes straight on with the next thread's fiber; one whose thread returned takes a fresh thread
// without any switch, so that a kernel without barriers needs one stack.
#include "block.hpp"

#include "builtins.hpp"

#include <algorithm>

namespace assay::simt {

namespace {

Block* running_block = nullptr;
std::uint64_t switch_count = 0;

/// Fibers outlive launches; those that wait for a thread are free.
struct Pool {
    std::vector<std::unique_ptr<Fiber>> all;
    std::vector<Fiber*> free;
} pool;

void switch_to(Fiber& to, Fiber& from) {
    ++switch_count;
    to.go_on(from);
}

} // namespace

Block* Block::running() { return running_block; }
std::uint64_t Block::switches() { return switch_count; }

bool Block::in_stack_guard(const void* address) {
    for (const auto& fiber : pool.all)
        if (fiber->guards(address)) return true;
    return false;
}

Block::Block(const Kernel& kernel, dim3 extent, LaneOrder order, Findings& findings)
    : kernel_(kernel), order_(order), findings_(findings) {
    const unsigned count = extent.x * extent.y * extent.z;
    threads_.resize(count);
    for (unsigned i = 0; i < count; ++i) {
        threads_[i].number = i;
        threads_[i].index = {i % extent.x, i / extent.x % extent.y, i / extent.x / extent.y};
    }
    warps_.resize((count + 31) / 32);
    group_size_ = order_.by_warp() ? 32 : count;
    for (unsigned group = 0; group * group_size_ < count; ++group) groups_.push_back(static_cast<std::uint16_t>(group));
}

bool Block::run(uint3 index) {
    set_block(index);
    live_ = static_cast<unsigned>(threads_.size());
    at_barrier_ = 0;
    idle_spins_ = 0;
    for (Thread& thread : threads_) thread.state = State::fresh;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        const std::size_t lanes = std::min<std::size_t>(threads_.size() - 32 * w, 32);
        warps_[w] = {lanes == 32 ? ~0u : (1u << lanes) - 1u, 0};
    }
    new_phase();
    running_block = this;
    enter(*pick(), outside_);
    running_block = nullptr;
    current_ = nullptr;
    if (live_ == 0) return true;
    if (!failed_) diagnose_standstill();
    pool.free.clear();
    for (const auto& fiber : pool.all) { // what stands in the middle of a kernel is not destroyed, as on a GPU
        fiber->start_over();
        pool.free.push_back(fiber.get());
    }
    return false;
}

void Block::fiber_main() {
    // Whoever started us has named our thread; later ones come to us as well.
    Fiber* self = running_block->current_->fiber;
    for (;;) running_block->run_threads(*self);
}

/// The current thread, then fresh ones for as long as they are next.
void Block::run_threads(Fiber& self) {
    for (;;) {
        bool threw = false;
        try {
            kernel_.run(kernel_.captured);
        } catch (...) {
            threw = true;
        }
        if (threw) fail("exception", "an exception left the kernel: device code cannot throw", {kernel_.name, 0});
        finish_current();
        Thread* next = pick();
        if (next != nullptr && next->state == State::fresh) {
            next->fiber = &self;
            next->state = State::ready;
            current_ = next;
            set_thread(next->index);
            continue;
        }
        pool.free.push_back(&self);
        if (next != nullptr)
            enter(*next, self);
        else
            switch_to(outside_, self);
        return; // somebody gave us another thread, perhaps of another block
    }
}

void Block::enter(Thread& next, Fiber& from) {
    if (next.state == State::fresh) next.fiber = free_fiber();
    next.state = State::ready;
    current_ = &next;
    set_thread(next.index);
    switch_to(*next.fiber, from);
}

/// The current thread's state says what it waits for; returns when that has come.
void Block::wait() {
    Thread& self = *current_;
    Thread* next = pick();
    if (next == &self) return;
    if (next != nullptr)
        enter(*next, *self.fiber);
    else
        switch_to(outside_, *self.fiber);
}

Fiber* Block::free_fiber() {
    if (pool.free.empty()) {
        pool.all.push_back(std::make_unique<Fiber>(fiber_main));
        return pool.all.back().get();
    }
    Fiber* fiber = pool.free.back();
    pool.free.pop_back();
    return fiber;
}

Block::Thread* Block::pick() {
    do {
        while (at_ < round_.size()) {
            Thread& thread = threads_[round_[at_++]];
            if (thread.state == State::fresh || thread.state == State::ready) return &thread;
        }
    } while (refill());
    return nullptr;
}

/// The group's threads that can run, else those of the next group that has any.
bool Block::refill() {
    const unsigned count = static_cast<unsigned>(threads_.size());
    if (someone_spins_) ++group_; // whom it waits for may be in another
    someone_spins_ = false;
    for (std::size_t tried = 0; tried < groups_.size(); ++tried, ++group_) {
        const unsigned first = groups_[group_ % groups_.size()] * group_size_;
        round_.clear();
        at_ = 0;
        for (unsigned i = first; i < std::min(first + group_size_, count); ++i)
            if (threads_[i].state == State::fresh || threads_[i].state == State::ready)
                round_.push_back(static_cast<std::uint16_t>(i));
        if (round_.empty()) continue;
        order_.shuffle(round_);
        return true;
    }
    return false;
}

void Block::new_phase() {
    order_.shuffle(groups_);
    group_ = 0;
    someone_spins_ = false;
    round_.clear();
    at_ = 0;
}

void Block::finish_current() {
    current_->state = State::done;
    --live_;
    idle_spins_ = 0;
    const unsigned warp = current_->number / 32;
    warps_[warp].live &= ~(1u << current_->number % 32);
    if (warps_[warp].waiting != 0) complete_after_exit(warp);
    if (live_ != 0 && at_barrier_ == live_) release_barrier();
}

/// A thread that waits in a loop: the others go first.
void Block::spin(Where where) {
    constexpr std::uint64_t longest = 1u << 23; // about a quarter of a second
    if (++idle_spins_ > longest)
        fail("spin",
             "the block spins at " + place(where) +
                 " and nothing changes: blocks run one after another and in any order, so that none may wait for "
                 "another",
             where);
    someone_spins_ = true;
    wait();
}

void Block::interrupt(const void* at) {
    if (uninterrupted_ || current_->fiber->holds(at) || !order_.coin()) return;
    wait();
}

void Block::fail(std::string kind, std::string sentence, Where where) {
    findings_.add({std::move(kind), std::move(sentence), where.file, where.line, kernel_.name, true});
    failed_ = true;
    switch_to(outside_, *current_->fiber);
    __builtin_unreachable(); // its fiber starts over
}

} // namespace assay::simt
