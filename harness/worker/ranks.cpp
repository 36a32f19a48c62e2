// Threads that pass a baton: the group's collectives are where they meet.
#include "worker/ranks.hpp"

#include <condition_variable>
#include <cxxabi.h>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace assay {

namespace {

enum class Kind { all_reduce, all_gather, reduce_scatter };

const char* name_of(Kind kind) {
    return kind == Kind::all_reduce ? "all_reduce" : kind == Kind::all_gather ? "all_gather" : "reduce_scatter";
}

using Matrix = tensor<float, 2>;
using ConstMatrix = tensor<const float, 2>;

/// One rank's part in a collective; vectors stand as matrices of one row.
struct Call {
    Kind kind = Kind::all_reduce;
    ConstMatrix from;
    Matrix to;
    int axis = 0;
};

/// Thrown in the ranks that wait when another one has failed; nobody sees it.
struct Abandoned {};

ConstMatrix row(tensor<const float, 1> v) {
    const std::ptrdiff_t extents[] = {1, v.extent(0)}, strides[] = {0, v.stride(0)};
    return {v.data(), extents, strides};
}
Matrix row(tensor<float, 1> v) {
    const std::ptrdiff_t extents[] = {1, v.extent(0)}, strides[] = {0, v.stride(0)};
    return {v.data(), extents, strides};
}

std::string extents_of(ConstMatrix m) {
    return "(" + std::to_string(m.extent(0)) + ", " + std::to_string(m.extent(1)) + ")";
}

/// The element of `whole` that element (i, j) of rank `rank`'s piece along `axis` is.
template <class T>
T& piece(tensor<T, 2> whole, int axis, std::ptrdiff_t extent, int rank, std::ptrdiff_t i, std::ptrdiff_t j) {
    return axis == 0 ? whole(rank * extent + i, j) : whole(i, rank * extent + j);
}

class Group;

class Member final : public communicator {
  public:
    Member(Group& group, int number) : group_(group), number_(number) {}

    int rank() const override { return number_; }
    int size() const override;
    void all_reduce(tensor<float, 1> buffer) override { meet({Kind::all_reduce, row(buffer), row(buffer), 0}); }
    void all_reduce(tensor<float, 2> buffer) override { meet({Kind::all_reduce, buffer, buffer, 0}); }
    void all_gather(tensor<const float, 1> part, tensor<float, 1> whole, int axis) override {
        meet({Kind::all_gather, row(part), row(whole), only_axis(axis)});
    }
    void all_gather(tensor<const float, 2> part, tensor<float, 2> whole, int axis) override {
        meet({Kind::all_gather, part, whole, checked(axis)});
    }
    void reduce_scatter(tensor<const float, 1> whole, tensor<float, 1> part, int axis) override {
        meet({Kind::reduce_scatter, row(whole), row(part), only_axis(axis)});
    }
    void reduce_scatter(tensor<const float, 2> whole, tensor<float, 2> part, int axis) override {
        meet({Kind::reduce_scatter, whole, part, checked(axis)});
    }

  private:
    Group& group_;
    int number_;

    void meet(const Call& call);
    static int checked(int axis) {
        if (axis != 0 && axis != 1) throw collective_error("a collective's axis is 0 or 1 for a matrix");
        return axis;
    }
    static int only_axis(int axis) {
        if (axis != 0) throw collective_error("a collective's axis is 0 for a vector");
        return 1; // a vector stands as a matrix of one row
    }
};

class Group {
  public:
    explicit Group(int ranks) : traffic_(static_cast<std::size_t>(ranks)), states_(traffic_.size()) {
        for (int rank = 0; rank < ranks; ++rank) members_.emplace_back(*this, rank);
    }

    std::vector<Traffic> run(const std::function<void(communicator&)>& body) {
        std::vector<std::thread> threads;
        threads.reserve(members_.size());
        for (Member& member : members_) threads.emplace_back([this, &member, &body] { live(member, body); });
        for (std::thread& thread : threads) thread.join();
        if (failure_) std::rethrow_exception(failure_);
        return traffic_;
    }

    int size() const { return static_cast<int>(members_.size()); }

    void meet(int rank, const Call& call) {
        std::unique_lock lock(mutex_);
        State& state = states_[static_cast<std::size_t>(rank)];
        state.call = call;
        state.waiting = true;
        pass_baton();
        arrived_.wait(lock, [&] { return turn_ == rank && (!state.waiting || failed_); });
        if (failed_) throw Abandoned{};
    }

  private:
    struct State {
        Call call;
        bool waiting = false, ended = false;
    };

    std::vector<Member> members_;
    std::vector<Traffic> traffic_;
    std::vector<State> states_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    int turn_ = 0;
    bool failed_ = false;
    std::exception_ptr failure_;

    void live(Member& member, const std::function<void(communicator&)>& body) {
        const int rank = member.rank();
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [&] { return turn_ == rank; });
        if (!failed_) {
            lock.unlock();
            std::exception_ptr thrown;
            try {
                body(member);
            } catch (const Abandoned&) {
            } catch (const abi::__forced_unwind&) {
                throw; // thread cancellation must go on
            } catch (...) {
                thrown = std::current_exception();
            }
            lock.lock();
            if (thrown) fail(thrown);
        }
        states_[static_cast<std::size_t>(rank)].ended = true;
        pass_baton();
    }

    void fail(const std::exception_ptr& why) {
        if (!failure_) failure_ = why;
        failed_ = true;
    }

    /// To the next rank that can run. Where none can, all wait or have ended: the collective they wait for is done.
    void pass_baton() {
        if (pick()) return;
        bool any = false;
        for (const State& state : states_) any = any || !state.ended;
        if (any) {
            if (!failed_) perform();
            pick();
        }
        arrived_.notify_all();
    }

    bool pick() {
        for (int step = 1; step <= size(); ++step) {
            const int next = (turn_ + step) % size();
            const State& state = states_[static_cast<std::size_t>(next)];
            if (state.ended || (state.waiting && !failed_)) continue;
            turn_ = next;
            arrived_.notify_all();
            return true;
        }
        return false;
    }

    void refuse(const std::string& why) { fail(std::make_exception_ptr(collective_error(why))); }

    void perform() {
        const auto waiting = [&](std::size_t rank) {
            return "rank " + std::to_string(rank) + " waits in " + name_of(states_[rank].call.kind);
        };
        std::size_t first = 0;
        while (states_[first].ended) ++first;
        for (std::size_t rank = 0; rank < states_.size(); ++rank) {
            const State& state = states_[rank];
            if (state.ended)
                return refuse(waiting(first) + ", but rank " + std::to_string(rank) +
                              " has returned: every rank makes the same collective calls");
            const Call &a = states_[first].call, &b = state.call;
            if (a.kind != b.kind)
                return refuse(waiting(first) + ", but " + waiting(rank) +
                              ": every rank makes the same collective calls");
            if (a.axis != b.axis || extents_of(a.from) != extents_of(b.from) || extents_of(a.to) != extents_of(b.to))
                return refuse(std::string(name_of(a.kind)) + " has extents " + extents_of(a.from) + " on rank " +
                              std::to_string(first) + " and " + extents_of(b.from) + " on rank " +
                              std::to_string(rank) + ": they must be equal");
        }
        const Call& call = states_[0].call;
        const bool gathers = call.kind == Kind::all_gather;
        const ConstMatrix whole = gathers ? ConstMatrix(call.to) : call.from;
        const ConstMatrix part = gathers ? call.from : ConstMatrix(call.to);
        if (call.kind != Kind::all_reduce) {
            const auto axis = static_cast<std::size_t>(call.axis);
            if (part.extent(1 - axis) != whole.extent(1 - axis) || part.extent(axis) * size() != whole.extent(axis))
                return refuse(std::string(name_of(call.kind)) + " joins " + std::to_string(size()) +
                              " parts of extents " + extents_of(part) + " along axis " + std::to_string(call.axis) +
                              ", which do not make " + extents_of(whole));
        }
        if (gathers)
            gather(part);
        else
            reduce(whole);
        const double n = size();
        const double bytes = static_cast<double>(whole.size()) * sizeof(float);
        for (std::size_t rank = 0; rank < states_.size(); ++rank) {
            traffic_[rank].sent_bytes += (call.kind == Kind::all_reduce ? 2 : 1) * (n - 1) / n * bytes;
            traffic_[rank].collectives += 1;
            states_[rank].waiting = false;
        }
    }

    /// Copied first: a rank may gather into the buffer that holds its part.
    void gather(ConstMatrix part) {
        std::vector<float> values;
        for (const State& state : states_)
            for (std::ptrdiff_t i = 0; i < part.extent(0); ++i)
                for (std::ptrdiff_t j = 0; j < part.extent(1); ++j) values.push_back(state.call.from(i, j));
        for (const State& state : states_) {
            std::size_t at = 0;
            const Call& call = state.call;
            for (int rank = 0; rank < size(); ++rank)
                for (std::ptrdiff_t i = 0; i < part.extent(0); ++i)
                    for (std::ptrdiff_t j = 0; j < part.extent(1); ++j)
                        piece(call.to, call.axis, part.extent(static_cast<std::size_t>(call.axis)), rank, i, j) =
                            values[at++];
        }
    }

    /// In float64 and in order of rank, so that what is lost is lost in the attempt's own sums.
    void reduce(ConstMatrix whole) {
        std::vector<float> sums;
        for (std::ptrdiff_t i = 0; i < whole.extent(0); ++i)
            for (std::ptrdiff_t j = 0; j < whole.extent(1); ++j) {
                double sum = 0;
                for (const State& state : states_) sum += static_cast<double>(state.call.from(i, j));
                sums.push_back(static_cast<float>(sum));
            }
        for (int rank = 0; rank < size(); ++rank) {
            const Call& call = states_[static_cast<std::size_t>(rank)].call;
            const bool scatters = call.kind == Kind::reduce_scatter;
            const std::ptrdiff_t extent = call.to.extent(static_cast<std::size_t>(call.axis));
            for (std::ptrdiff_t i = 0; i < call.to.extent(0); ++i)
                for (std::ptrdiff_t j = 0; j < call.to.extent(1); ++j) {
                    const std::ptrdiff_t row_at = scatters && call.axis == 0 ? rank * extent + i : i;
                    const std::ptrdiff_t column = scatters && call.axis == 1 ? rank * extent + j : j;
                    call.to(i, j) = sums[static_cast<std::size_t>(row_at * whole.extent(1) + column)];
                }
        }
    }
};

int Member::size() const { return group_.size(); }
void Member::meet(const Call& call) { group_.meet(number_, call); }

} // namespace

std::vector<Traffic> run_ranks(int ranks, const std::function<void(communicator&)>& body) {
    return Group(ranks).run(body);
}

} // namespace assay
