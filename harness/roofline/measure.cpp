// Why the bound cannot be broken by chance, and still can be broken by a mistake:
//
// The peak is the fastest rate of any matrix product of the run: two squares, and for each number of tokens the
// network's own products ("twin": the same calls on the same memory, without the activation). It is never read from the
// network's own timing, which would make the bound true by definition. Twin and network are timed in turn, round after
// round, the order changing, so that a slow or a fast spell of the machine meets both. In any one state of the machine
// the network does strictly more than its twin. So for its median to be faster than the fastest twin by more than its
// own interquartile range, even if both did equal work, every one of k twins must be slower than the upper quartile of
// the k networks: for k = 15 that happens by chance once in 40 000 runs, and the squares and the other twins only raise
// the peak. A load that comes and goes widens the range. A mistake breaks it at once: a product left out, work shared
// out wrongly, FLOPs counted twice in the formula, a unit.
#include "roofline/measure.hpp"

#include "roofline/measure_ffn.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace assay::roofline {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int good_rounds = 15, most_rounds = 201;
constexpr double shortest_sample = 200e-6; // the clock's steps and the barriers' ends vanish in it
constexpr double gib = 1 << 30;

template <class Job> double seconds_of(const Job& job) {
    const auto start = Clock::now();
    job();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One kind of timed work; a sample repeats it until it lasts long enough.
class Timed {
  public:
    template <class Job> double sample(const Job& job) const {
        return seconds_of([&] {
                   for (int i = 0; i < repeats_; ++i) job();
               }) /
               repeats_;
    }
    void set_repeats(double once) {
        repeats_ = std::clamp(static_cast<int>(std::ceil(shortest_sample / std::max(once, 1e-9))), 1, 1000);
    }

  private:
    int repeats_ = 1;
};

/// A product of n rows, depth n, n tokens, n rows a thread.
class Square {
  public:
    Square(const Kernels& kernels, Threads& threads, long n)
        : kernels_(kernels), threads_(threads), n_(n), rows_(n * threads.count()), w_(rows_ * n), x_(n * n),
          y_(rows_ * n) {
        fill(threads, w_.data(), rows_ * n, 1, 6);
        fill(threads, x_.data(), n * n, 1, 7);
    }
    double flops() const {
        return 2.0 * static_cast<double>(rows_) * static_cast<double>(n_) * static_cast<double>(n_);
    }
    void run() {
        threads_.run([&](int part) {
            const long at = part * n_;
            kernels_.gemm(w_.data() + at * n_, n_, n_, x_.data(), n_, y_.data() + at, rows_);
        });
    }

    Timed timed;

  private:
    const Kernels& kernels_;
    Threads& threads_;
    long n_, rows_;
    Buffer w_, x_, y_;
};

/// One set of figures: all for one number of threads.
class Session {
  public:
    Session(const Kernels& kernels, Memory& memory, const HereOptions& options, int threads, double seconds)
        : options_(options), threads_(threads), seconds_(seconds),
          ffn_(kernels, threads_, options.ffn, static_cast<long>(options.tokens.back())), memory_(memory) {
        squares_.push_back(std::make_unique<Square>(kernels, threads_, 256));
        squares_.push_back(std::make_unique<Square>(kernels, threads_, seconds < 1 ? 384 : 768));
        figures_.threads = threads;
        figures_.array_bytes = memory_.bytes();
    }

    HereFigures measure() {
        const auto start = Clock::now();
        warm_up();
        const auto past = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
        for (int round = 0; round < most_rounds && (round < options_.fewest_rounds || past() < seconds_); ++round) {
            if (round % 2 == 0) probe();
            for (std::size_t i = 0; i < networks_.size(); ++i) pair(i, round % 2 == 0);
            if (round % 2 == 1) probe();
        }
        for (const Network& one : networks_) figures_.points[one.point].measured = spread_of(one.samples);
        return figures_;
    }

  private:
    struct Network {
        std::size_t point = 0;
        long tokens = 0;
        double flops = 0; // of its products, counted call by call
        Timed timed;
        std::vector<double> samples;
    };

    void saw(double flops, double seconds) { figures_.peak = std::max(figures_.peak, flops / seconds); }

    /// Sets repeats, and leaves out the numbers of tokens of which not enough calls fit into the time.
    void warm_up() {
        double round = 0;
        for (const auto& square : squares_) {
            square->run();
            const double once = seconds_of([&] { square->run(); });
            square->timed.set_repeats(once);
            saw(square->flops(), once);
            round += std::max(once, shortest_sample);
        }
        round += seconds_of([&] { memory_.sample(threads_, figures_.bandwidth); });
        for (std::size_t i = 0; i < options_.tokens.size(); ++i) {
            HerePoint point;
            point.tokens = options_.tokens[i];
            const long tokens = static_cast<long>(point.tokens);
            const double flops = products_flops(options_.ffn, point.tokens);
            const auto fits = [&](double once) { return (round + 2 * once) * good_rounds <= seconds_; };
            double once = flops / figures_.peak; // at the least
            if (i == 0) ffn_.run(tokens);        // the first touch of its memory
            if (i == 0 || fits(once)) once = seconds_of([&] { ffn_.run(tokens); });
            point.left_out = i > 0 && !fits(once);
            point.estimate = once;
            if (!point.left_out) {
                Network network;
                network.point = i;
                network.tokens = tokens;
                network.flops = flops;
                network.timed.set_repeats(once);
                networks_.push_back(network);
                round += 2 * std::max(once, shortest_sample);
            }
            figures_.points.push_back(point);
        }
    }

    void probe() {
        for (const auto& square : squares_) saw(square->flops(), square->timed.sample([&] { square->run(); }));
        memory_.sample(threads_, figures_.bandwidth);
    }

    void pair(std::size_t i, bool twin_first) {
        Network& one = networks_[i];
        const auto twin = [&] { saw(one.flops, one.timed.sample([&] { ffn_.products(one.tokens); })); };
        if (twin_first) twin();
        one.samples.push_back(one.timed.sample([&] { ffn_.run(one.tokens); }));
        if (!twin_first) twin();
    }

    /// From the calls that RealFfn makes, not from the roofline's formula, which this measures against.
    static double products_flops(const Ffn& ffn, std::int64_t tokens) {
        const auto product = [&](std::int64_t rows, std::int64_t depth) {
            return 2.0 * static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(tokens);
        };
        return product(ffn.hidden, ffn.d_model) * (ffn.gated ? 2 : 1) + product(ffn.d_model, ffn.hidden);
    }

    const HereOptions& options_;
    Threads threads_;
    double seconds_;
    RealFfn ffn_;
    Memory& memory_;
    std::vector<std::unique_ptr<Square>> squares_;
    std::vector<Network> networks_;
    HereFigures figures_;
};

/// Arrays of four times the caches, as far as memory and time allow (the system hands out about 2 GiB a second).
std::int64_t array_bytes(const Machine& machine, double network, double seconds) {
    const double spare = static_cast<double>(machine.free_bytes) - network;
    const double wanted = 4 * static_cast<double>(std::max<std::int64_t>(machine.cache_bytes, 16 << 20));
    return static_cast<std::int64_t>(std::max(16e6, std::min({wanted, spare / 4, seconds * gib / 2})));
}

std::int64_t piece_bytes(double seconds) { return static_cast<std::int64_t>(std::clamp(seconds * 8e6, 4e6, 64e6)); }

} // namespace

Outcome<HereReport> measure_here(const HereOptions& options) {
    const std::vector<const Kernels*> usable = usable_kernels();
    if (usable.empty())
        return Failure{Verdict::SKIP,
                       "--here multiplies matrices with Eigen, which was not there when Assay was built: "
                       "install it (Debian: apt-get install libeigen3-dev) and build again"};
    HereReport report;
    report.machine = this_machine();
    report.kernels = usable.back()->name;
    report.ffn = options.ffn;
    const double needed = RealFfn::bytes(options.ffn, static_cast<long>(options.tokens.back()));
    if (needed > 0.75 * static_cast<double>(report.machine.free_bytes))
        return Failure{Verdict::SKIP,
                       fmt::format("--here needs {:.1f} GiB for this network at {} tokens in float32, and {:.1f} GiB "
                                   "are free: give smaller widths or fewer tokens",
                                   needed / gib, options.tokens.back(),
                                   static_cast<double>(report.machine.free_bytes) / gib)};
    const double seconds = options.seconds / static_cast<double>(options.threads.size());
    Threads all(*std::max_element(options.threads.begin(), options.threads.end()));
    Memory memory(*usable.back(), all, array_bytes(report.machine, needed, options.seconds), piece_bytes(seconds));
    for (const int threads : options.threads) {
        HereFigures figures = Session(*usable.back(), memory, options, threads, seconds).measure();
        predict(report.machine, options.ffn, figures);
        report.figures.push_back(std::move(figures));
    }
    return report;
}

} // namespace assay::roofline
