// The runs that a call takes on a GPU, with the emulated runtime in the place of the real one and a "kernel" that is a
// plain function: what the arena, its guards and the comparison of two runs make of right calls and wrong ones.
#include "worker/device_runs.hpp"

#include <cstdio>
#include <functional>
#include <numeric>
#include <string>

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

void told(const Call& made, const std::string& words) {
    check(made.fault.find(words) != std::string::npos, ("is told: " + words).c_str(), made.fault);
}

void right(const float* in, float* out, int) {
    for (int i = 0; i < 3; ++i) out[2 * i] = in[i] + in[3 + i];
}

} // namespace

int main() {
    const Call good = call(right);
    check(good.fault.empty(), "a right call passes", good.fault);
    check(good.out == std::vector<float>{5, -1, 7, -1, 9, -1}, "results reach the judge, and what lies between stays",
          std::to_string(good.out[0]));
    check(good.misalignment == std::vector<std::size_t>{0, 4}, "the second run is shifted by an element",
          std::to_string(good.misalignment.size()));
    told(call([](const float* in, float* out, int run) {
             right(in, out, run);
             out[5] = 0; // one float behind the last element
         }),
         "a kernel wrote to element 1 past the end of out");
    told(call([](const float* in, float* out, int run) {
             right(in, out, run);
             out[-1] = 0;
         }),
         "a kernel wrote to element 1 before the start of out");
    told(call([](const float* in, float* out, int run) {
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
    told(call([](const float* in, float* out, int run) {
             right(in, out, run);
             cudaMemcpy(nullptr, in, 4, cudaMemcpyDeviceToHost);
         }),
         "was left by a kernel or a CUDA call");
    return wrong == 0 ? 0 : 1;
}
