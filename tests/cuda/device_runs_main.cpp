// The runs that a call takes on a GPU, with the emulated runtime in the place of the real one and a "kernel" that is a
// plain function: what the arena, its guards and the comparison of two runs make of right calls and wrong ones. Then
// the one run of a call that is timed: in which order the device is asked for what, and what the judge is told.
#include "cuda/watched_runtime.hpp"
#include "worker/device_runs.hpp"
#include "worker/device_turns.hpp"

#include <chrono>
#include <cstdio>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

using namespace assay;

namespace {

struct Call {
    std::vector<float> in = {1, 2, 3, 4, 5, 6}, out = std::vector<float>(6, -1);
    std::string fault;                     // what was told
    std::vector<std::size_t> misalignment; // of `out` at each run, from 256 bytes
};

double value(const void* element) { return static_cast<double>(*static_cast<const float*>(element)); }

unsigned char* bytes(std::vector<float>& values) { return reinterpret_cast<unsigned char*>(values.data()); }

/// `in` is 2 x 3 and read only, `out` every other element of a row of 3.
Call call(const std::function<void(const float* in, float* out, int run)>& kernel) {
    Call made;
    int run = 0;
    try {
        DeviceRuns runs({{"in out", bytes(made.in), sizeof(float), {2, 3}, {3, 1}, false, value},
                         {"out", bytes(made.out), sizeof(float), {3}, {2}, true, value}});
        for (; runs.next(); runs.finish(), ++run) {
            auto* out = reinterpret_cast<float*>(runs.place(made.out.data()));
            made.misalignment.push_back(reinterpret_cast<std::size_t>(out) % 256);
            kernel(reinterpret_cast<const float*>(runs.place(made.in.data())), out, run);
        }
    } catch (const device_fault& fault) {
        made.fault = fault.what();
    }
    return made;
}

int wrong = 0;
void check(bool right, const char* what, const std::string& got) {
    if (right) return;
    ++wrong;
    std::printf("wrong: %s; got: %s\n", what, got.c_str());
}

void is_told(const Call& made, const std::string& words) {
    check(made.fault.find(words) != std::string::npos, ("is told: " + words).c_str(), made.fault);
}

void right(const float* in, float* out, int) {
    for (int i = 0; i < 3; ++i) out[2 * i] = in[i] + in[3 + i];
}

struct Told {
    double events, host;
};
std::vector<Told> turns_told; // since the last call
std::function<void()> at_turn_begin = [] {}, at_turn_end = [] {};

void begin_turn() {
    watched::note("ready");
    at_turn_begin();
}
void end_turn(double events, double host) {
    watched::note("over");
    turns_told.push_back({events, host});
    at_turn_end();
}

Call timed_call(const std::function<void(const float* in, float* out, int run)>& kernel) {
    turns_told.clear();
    watched::calls.clear();
    return call([&](const float* in, float* out, int run) {
        watched::note("kernel");
        kernel(in, out, run);
    });
}

void timed() {
    static constexpr DeviceTurns turns{begin_turn, end_turn};
    assay_device_turns(&turns);

    watched::elapsed_milliseconds = 2.5F;
    const Call good = timed_call([](const float* in, float* out, int run) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        right(in, out, run);
    });
    check(good.fault.empty() && good.out == std::vector<float>{5, -1, 7, -1, 9, -1}, "a timed call answers",
          good.fault);
    check(good.misalignment == std::vector<std::size_t>{0}, "it runs once, unshifted",
          std::to_string(good.misalignment.size()));
    // Inputs are there, L2 is flushed (as often as it takes to wake the device), and nothing is under way before the
    // call; the whole device is done before the clock stops, and the results lie before the judge when it is told.
    check(watched::story() == "in ready record record wait out over wait limit reset flush wait "
                              "ready record kernel record wait out over out",
          "the order of a timed call", watched::story());
    check(turns_told.size() == 2, "two turns are told", std::to_string(turns_told.size()));
    if (turns_told.size() == 2) {
        check(turns_told[1].events == 2.5e-3, "the events' time is told", std::to_string(turns_told[1].events));
        check(turns_told[1].host >= 3e-3 && turns_told[1].host < 1, "the host's clock spans the call",
              std::to_string(turns_told[1].host));
        check(turns_told[0].host < turns_told[1].host, "an empty turn is shorter", std::to_string(turns_told[0].host));
    }

    float* written = nullptr;
    at_turn_end = [&] {
        if (written != nullptr) *written = 100; // as what an attempt has left running would
    };
    const Call late = timed_call([&](const float*, float* out, int) { written = out; });
    check(late.fault.empty() && late.out[0] == -1, "what is written after the clock stopped is no answer",
          std::to_string(late.out[0]));
    written = nullptr;
    at_turn_end = [] {};

    (void)timed_call([](const float* in, float* out, int run) {
        right(in, out, run);
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20);
    });
    std::size_t aside = 1;
    at_turn_begin = [&] { cudaDeviceGetLimit(&aside, cudaLimitPersistingL2CacheSize); };
    (void)timed_call(right);
    check(aside == 0, "no part of L2 is set aside when a call begins", std::to_string(aside));
    at_turn_begin = [] {};

    is_told(timed_call([](const float* in, float* out, int run) {
                right(in, out, run);
                out[5] = 0;
            }),
            "a kernel wrote to element 1 past the end of out");
    is_told(timed_call([](const float* in, float* out, int run) {
                right(in, out, run);
                cudaMemcpy(nullptr, in, 4, cudaMemcpyDeviceToHost);
            }),
            "was left by a kernel or a CUDA call");
    check(turns_told.size() == 1, "a call that failed is not told as a turn", std::to_string(turns_told.size()));
    bool thrown = false;
    try {
        (void)timed_call([](const float*, float*, int) { throw std::runtime_error("its own"); });
    } catch (const std::runtime_error&) {
        thrown = true;
    }
    check(thrown && turns_told.size() == 1, "an exception of the attempt's ends its turn",
          std::to_string(turns_told.size()));
    is_told(timed_call([](const float* in, float* out, int run) {
                right(in, out, run);
                watched::elapsed_error = cudaErrorInvalidResourceHandle; // as after cudaDeviceReset()
            }),
            "after the call, its time could not be read: cudaErrorInvalidResourceHandle");
    watched::elapsed_error = cudaSuccess;
    is_told(timed_call([](const float* in, float* out, int run) {
                right(in, out, run);
                cudaStreamDestroy(DeviceRuns({}).stream());
            }),
            "cudaErrorInvalidResourceHandle (invalid resource handle) was left");
}

} // namespace

int main() {
    const Call good = call(right);
    check(good.fault.empty(), "a right call passes", good.fault);
    check(good.out == std::vector<float>{5, -1, 7, -1, 9, -1}, "results reach the judge, and what lies between stays",
          std::to_string(good.out[0]));
    check(good.misalignment == std::vector<std::size_t>{0, 4}, "the second run is shifted by an element",
          std::to_string(good.misalignment.size()));
    is_told(call([](const float* in, float* out, int run) {
                right(in, out, run);
                out[5] = 0; // one float behind the last element
            }),
            "a kernel wrote to element 1 past the end of out");
    is_told(call([](const float* in, float* out, int run) {
                right(in, out, run);
                out[-1] = 0;
            }),
            "a kernel wrote to element 1 before the start of out");
    is_told(call([](const float* in, float* out, int run) {
                right(in, out, run);
                if (run == 1) out[2] += 1;
            }),
            "out(1) is 7 once and 8 another time, on the same inputs");
    const Call changed = call([](const float* in, float* out, int run) {
        right(in, out, run);
        const_cast<float*>(in)[0] = 9;
    });
    check(changed.fault.empty() && changed.in[0] == 9, "an input that was written is the judge's to tell",
          changed.fault);
    is_told(call([](const float* in, float* out, int run) {
                right(in, out, run);
                cudaMemcpy(nullptr, in, 4, cudaMemcpyDeviceToHost);
            }),
            "was left by a kernel or a CUDA call");
    timed();
    return wrong == 0 ? 0 : 1;
}
