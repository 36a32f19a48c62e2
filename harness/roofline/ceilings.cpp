#include "roofline/ceilings.hpp"

#include "roofline/buffer.hpp"
#include "roofline/kernels.hpp"
#include "roofline/machine.hpp"
#include "roofline/measure_bandwidth.hpp"
#include "roofline/threads.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace assay::roofline {

namespace {

constexpr long values = 2048; // floats a thread: 8 KiB, in the nearest cache
constexpr long repeats = 50;  // passes over them a job, some 100 us
constexpr long rounds = 50'000;
constexpr int fewest = 5; // runs, however long they take on a busy machine

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

struct LimitsMeter::State {
    State(const Kernels& of, int count, const Machine& machine, std::int64_t arrays)
        : kernels(of), threads(count), memory(of, threads, arrays, std::int64_t{16} << 20), from(values * count),
          to(values * count) {
        for (long i = 0; i < values * count; ++i) from.data()[i] = -static_cast<float>(i % 80) / 8;
        limits.threads = count;
        limits.cache_bytes = machine.cache_bytes;
        limits.array_bytes = memory.bytes();
        limits.kernels = of.name;
    }

    /// Of all threads as of the fastest one: what else runs on the machine holds threads up, and lowers no limit.
    template <class Job> double rate(double work, const Job& job) {
        std::vector<double> seconds(static_cast<std::size_t>(threads.count()));
        threads.run([&](int part) {
            const auto start = std::chrono::steady_clock::now();
            job(part);
            seconds[static_cast<std::size_t>(part)] = seconds_since(start);
        });
        return work * threads.count() / *std::min_element(seconds.begin(), seconds.end());
    }

    void once() {
        limits.flops = std::max(limits.flops, rate(kernels.flops_a_round * static_cast<double>(rounds), [&](int) {
                                    volatile float kept = kernels.multiply_adds(rounds);
                                    (void)kept;
                                }));
        limits.exponentials =
            std::max(limits.exponentials, rate(static_cast<double>(values * repeats), [&](int part) {
                         for (long i = 0; i < repeats; ++i)
                             kernels.exponentials(to.data() + part * values, from.data() + part * values, values);
                     }));
        memory.sample(threads, bandwidth);
        limits.bandwidth = bandwidth.best();
    }

    const Kernels& kernels;
    Threads threads;
    Memory memory;
    Buffer from, to;
    Bandwidth bandwidth;
    MachineLimits limits;
};

Outcome<std::unique_ptr<LimitsMeter>> LimitsMeter::make(int threads) {
    const std::vector<const Kernels*> usable = usable_kernels();
    if (usable.empty())
        return Failure{Verdict::SKIP,
                       "this machine's limits cannot be measured: Eigen was not there when Assay was built "
                       "(Debian: apt-get install libeigen3-dev, and build again)"};
    const Machine machine = this_machine();
    const std::int64_t wanted = 4 * std::max<std::int64_t>(machine.cache_bytes, 16 << 20);
    const std::int64_t arrays = std::max<std::int64_t>(48 << 20, std::min(wanted, machine.free_bytes / 4));
    return std::unique_ptr<LimitsMeter>(
        new LimitsMeter(std::make_unique<State>(*usable.back(), threads, machine, arrays)));
}

LimitsMeter::LimitsMeter(std::unique_ptr<State> state) : state_(std::move(state)) {}
LimitsMeter::~LimitsMeter() = default;

void LimitsMeter::sample(double seconds) {
    const auto start = std::chrono::steady_clock::now();
    for (int run = 0; run < fewest || seconds_since(start) < seconds; ++run) state_->once();
}

const MachineLimits& LimitsMeter::best() const { return state_->limits; }

} // namespace assay::roofline
