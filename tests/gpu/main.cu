// Every trial of every kernel on this machine's GPU, then times; tests/gpu/run builds and calls it.
//
//     main trials            the trials alone (what compute-sanitizer watches)
//     main FOLDER [TORCH]    trials and times; writes FOLDER/results.md and .json. TORCH: lines "d causal length ms"
//
// Exits 0 where all is right, 1 where something is wrong, 3 where there is no GPU, 4 on an error of CUDA's.
#include "checked.hpp"
#include "report.hpp"

#include <cstdio>
#include <exception>
#include <fstream>

using namespace assay::gpu;
using assay::kernels::checked;

namespace {

/// Each case twice: the second must give the same bits, where the kernel promises them.
std::vector<Trial> run_trials() {
    std::vector<Trial> trials;
    for (const auto& cases : {softmax_cases(), layernorm_cases(), sdpa_forward_cases(), sdpa_forward_16_cases(),
                              sdpa_backward_cases(), p_yes_cases(), grpo_cases()})
        for (const Case& one : cases) {
            Outcome outcome = on_a_stream(one);
            const Outcome again = on_a_stream(one);
            if (one.repeats && again.digest != outcome.digest) outcome.complain("a second run gave other bits");
            if (!again.right() && outcome.right()) outcome = again;
            if (!outcome.right())
                std::printf("WRONG %s: error/bound %.3g %s\n", one.name.c_str(), outcome.worst,
                            outcome.trouble.c_str());
            trials.push_back({one.name, outcome});
        }
    return trials;
}

void read_torch(const char* file, std::vector<Time>& times) {
    std::ifstream in(file);
    int d = 0, causal = 0, length = 0;
    for (double milliseconds = 0; in >> d >> causal >> length >> milliseconds;)
        for (Time& time : times)
            if (time.length == length && time.what == "half d " + std::to_string(d) + (causal != 0 ? " causal" : ""))
                time.torch = milliseconds;
}

int run(const std::string& folder, const char* torch) {
    int device = 0, runtime = 0, driver = 0;
    cudaDeviceProp properties{};
    checked(cudaGetDevice(&device), "which device this is");
    checked(cudaGetDeviceProperties(&properties, device), "what device this is");
    checked(cudaRuntimeGetVersion(&runtime), "the runtime's version");
    checked(cudaDriverGetVersion(&driver), "the driver's version");
    Report report;
    report.device = properties.name;
    report.capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    report.runtime = runtime, report.driver = driver;
    report.trials = run_trials();
    if (folder != "trials") {
        report.peaks = measure_peaks();
        report.attention = measure_attention(15);
        report.rows = measure_rows(15);
        if (torch != nullptr) read_torch(torch, report.attention);
        std::ofstream(folder + "/results.md") << as_markdown(report);
        std::ofstream(folder + "/results.json") << as_json(report);
    }
    std::printf("%s\n", summary(report).c_str());
    return right(report) ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "main needs a folder for its results, or the word trials\n");
        return 2;
    }
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::fprintf(stderr, "tests/gpu/run: the CUDA driver finds no GPU here: run it on a machine that has one\n");
        return 3;
    }
    try {
        return run(argv[1], argc > 2 ? argv[2] : nullptr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tests/gpu/run: %s\n", error.what());
        return 4;
    }
}
