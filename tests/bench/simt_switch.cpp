// What the emulation's threads cost: a barrier is one switch a thread. Run by hand on an idle machine.
#include "cuda/kernels/right.hpp"
#include "host/simt.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace {

/// Nanoseconds: what others do on the machine counts little.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

} // namespace

int main() {
    const std::vector<int> in(1024, 1);
    std::vector<int> out(1024);
    for (const int threads : {32, 256, 1024}) {
        std::vector<double> nanoseconds;
        for (int sample = 0; sample < 41; ++sample) {
            const auto before = assay::simt::used().switches;
            const double start = processor_time();
            for (int repeat = 0; repeat < 1 + 20480 / threads; ++repeat) scan(in.data(), out.data(), threads);
            nanoseconds.push_back((processor_time() - start) /
                                  static_cast<double>(assay::simt::used().switches - before));
        }
        std::sort(nanoseconds.begin(), nanoseconds.end());
        std::printf(
            "scan by %4d threads: %5.1f ns a switch, its work included (median of %zu; quartiles %.1f to %.1f)\n",
            threads, nanoseconds[20], nanoseconds.size(), nanoseconds[10], nanoseconds[30]);
    }
}
