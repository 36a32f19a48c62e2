#include "roofline/measure_bandwidth.hpp"

#include <algorithm>
#include <chrono>

namespace assay::roofline {

namespace {

constexpr long grain = 1024; // floats; a page of 4 KiB

template <class Job> double rate(double bytes, const Job& job) {
    const auto start = std::chrono::steady_clock::now();
    job();
    return bytes / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

double Bandwidth::best() const { return std::max({read, copy, triad}); }

Memory::Memory(const Kernels& kernels, Threads& threads, std::int64_t bytes, std::int64_t piece)
    : kernels_(kernels), third_(std::max<long>(3 * grain, static_cast<long>(bytes / 12) / grain * grain)),
      piece_(std::clamp<long>(static_cast<long>(piece / 12) / grain * grain, grain, third_ / 3)), all_(3 * third_) {
    // Every page is written to, or reading would find one page of zeros everywhere.
    threads.run([&](int part) {
        const Threads::Share mine = threads.share(part, 3 * third_, grain);
        for (long i = mine.begin; i < mine.end; i += grain) all_.data()[i] = 1;
    });
}

long Memory::next_piece() {
    if (at_ + piece_ > third_) at_ = 0;
    const long here = at_;
    at_ += piece_;
    return here;
}

void Memory::sample(Threads& threads, Bandwidth& best) {
    float *a = all_.data(), *b = a + third_, *c = b + third_;
    const double bytes = 4 * static_cast<double>(piece_);
    const auto over_piece = [&](long at, const auto& job) {
        threads.run([&](int part) {
            const Threads::Share mine = threads.share(part, piece_, grain);
            job(at + mine.begin, mine.size());
        });
    };
    // A piece of its own for each way: one would find in a cache what another has just left there.
    long at = next_piece();
    best.read = std::max(best.read, rate(3 * bytes, [&] {
                             over_piece(at, [&](long i, long n) {
                                 for (const float* from : {a + i, b + i, c + i}) kernels_.sum(from, n);
                             });
                         }));
    at = next_piece();
    best.copy = std::max(
        best.copy, rate(2 * bytes, [&] { over_piece(at, [&](long i, long n) { kernels_.copy(c + i, a + i, n); }); }));
    at = next_piece();
    best.triad = std::max(best.triad, rate(3 * bytes, [&] {
                              over_piece(at, [&](long i, long n) { kernels_.triad(a + i, b + i, c + i, 0.5f, n); });
                          }));
}

} // namespace assay::roofline
