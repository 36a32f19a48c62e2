// Tables for people, JSON for programs.
#include "report.hpp"

#include <algorithm>
#include <cstdio>

namespace assay::gpu {

namespace {

template <class... Arguments> std::string format(const char* pattern, Arguments... arguments) {
    char line[512];
    std::snprintf(line, sizeof line, pattern, arguments...);
    return line;
}

/// Trials of one kernel and version: what stands before the colon of their names.
struct Kernel {
    std::string name;
    std::size_t count = 0, wrong = 0;
    double worst = 0;
};

std::vector<Kernel> by_kernel(const std::vector<Trial>& trials) {
    std::vector<Kernel> kernels;
    for (const Trial& trial : trials) {
        const std::string name = trial.name.substr(0, trial.name.find(':'));
        auto found = std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& one) { return one.name == name; });
        if (found == kernels.end()) found = kernels.insert(found, Kernel{name});
        ++found->count;
        if (!trial.outcome.right()) ++found->wrong;
        found->worst = std::max(found->worst, trial.outcome.worst);
    }
    return kernels;
}

std::string share(double rate, double peak) { return peak > 0 ? format("%.3f", rate / peak) : "not measured"; }

/// JSON has no infinity.
std::string number(double value) { return std::isfinite(value) ? format("%.17g", value) : "null"; }

std::string quoted(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return all + "\"";
}

std::string times_json(const std::vector<Time>& times) {
    std::string all;
    for (const Time& time : times)
        all += (all.empty() ? "\n    " : ",\n    ") + std::string("{\"what\": ") + quoted(time.what) +
               ", \"length\": " + std::to_string(time.length) + ", \"median_ms\": " + number(time.milliseconds) +
               ", \"least_ms\": " + number(time.least) + ", \"most_ms\": " + number(time.most) +
               ", \"samples\": " + std::to_string(time.samples) + ", \"flop\": " + number(time.flop) +
               ", \"bytes\": " + number(time.bytes) + ", \"error_over_bound\": " + number(time.off) +
               ", \"torch_ms\": " + (time.torch > 0 ? number(time.torch) : "null") + "}";
    return all;
}

} // namespace

bool right(const Report& report) {
    const auto within = [](const Time& time) { return time.off <= 1; };
    return !report.trials.empty() &&
           std::all_of(report.trials.begin(), report.trials.end(),
                       [](const Trial& one) { return one.outcome.right(); }) &&
           std::all_of(report.attention.begin(), report.attention.end(), within) &&
           std::all_of(report.rows.begin(), report.rows.end(), within);
}

std::string summary(const Report& report) {
    std::size_t wrong = 0;
    for (const Trial& trial : report.trials) wrong += trial.outcome.right() ? 0 : 1;
    return format("%s: %zu of %zu trials are right, %zu times taken", report.device.c_str(),
                  report.trials.size() - wrong, report.trials.size(), report.attention.size() + report.rows.size());
}

std::string as_markdown(const Report& report) {
    std::string text = "# GPU solutions on " + report.device + "\n\n" + summary(report) + ".\n\n";
    text += format("Compute capability %s, CUDA runtime %d, driver %d.\n\n", report.capability.c_str(), report.runtime,
                   report.driver);
    text += "## Trials\n\nBeside float64; an error of at most its bound is right.\n\n"
            "| kernel, version | trials | wrong | largest error/bound |\n| --- | --- | --- | --- |\n";
    for (const Kernel& one : by_kernel(report.trials))
        text += format("| %s | %zu | %zu | %.3g |\n", one.name.c_str(), one.count, one.wrong, one.worst);
    for (const Trial& trial : report.trials)
        if (!trial.outcome.right())
            text +=
                format("\n- WRONG %s: %.3g %s", trial.name.c_str(), trial.outcome.worst, trial.outcome.trouble.c_str());
    text +=
        "\n## Attention forward on tensor cores\n\nEvents around the kernel, median [least, most]; fresh inputs and a "
        "flushed L2 cache each time; 8 heads, 16384 queries in all.\n\n";
    text += report.peaks.gemm > 0
                ? format("Half products by cuBLAS (8192 x 8192 x 8192): %.4g TFLOP/s.", report.peaks.gemm * 1e-12)
                : std::string("No cuBLAS here: the peak of matrix products is not measured.");
    text += format(" A copy of 1 GiB on the device: %.4g GB/s.\n\n", report.peaks.copy * 1e-9);
    text += "| storage | length | ms | TFLOP/s | share of GEMM | torch ms | torch/this | error/bound |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const Time& time : report.attention) {
        const double rate = time.flop / (time.milliseconds * 1e-3);
        text += format("| %s | %d | %.4g [%.4g, %.4g] | %.4g | %s | %s | %s | %.3g |\n", time.what.c_str(), time.length,
                       time.milliseconds, time.least, time.most, rate * 1e-12, share(rate, report.peaks.gemm).c_str(),
                       time.torch > 0 ? format("%.4g", time.torch).c_str() : "-",
                       time.torch > 0 ? format("%.3g", time.torch / time.milliseconds).c_str() : "-", time.off);
    }
    text += "\n## Kernels that memory bounds\n\nEvery byte counted once.\n\n"
            "| kernel, version | ms | GB/s | share of a copy |\n| --- | --- | --- | --- |\n";
    for (const Time& time : report.rows) {
        const double rate = time.bytes / (time.milliseconds * 1e-3);
        text += format("| %s | %.4g [%.4g, %.4g] | %.4g | %s |\n", time.what.c_str(), time.milliseconds, time.least,
                       time.most, rate * 1e-9, share(rate, report.peaks.copy).c_str());
    }
    return text;
}

std::string as_json(const Report& report) {
    std::string text =
        "{\n  \"device\": " + quoted(report.device) + ",\n  \"compute_capability\": " + quoted(report.capability) +
        ",\n  \"runtime\": " + std::to_string(report.runtime) + ",\n  \"driver\": " + std::to_string(report.driver) +
        ",\n  \"right\": " + (right(report) ? "true" : "false") +
        ",\n  \"gemm_flop_per_s\": " + (report.peaks.gemm > 0 ? number(report.peaks.gemm) : "null") +
        ",\n  \"copy_bytes_per_s\": " + number(report.peaks.copy) + ",\n  \"trials\": [";
    std::string trials;
    for (const Trial& trial : report.trials)
        trials += (trials.empty() ? "\n    " : ",\n    ") + std::string("{\"name\": ") + quoted(trial.name) +
                  ", \"right\": " + (trial.outcome.right() ? "true" : "false") +
                  ", \"error_over_bound\": " + number(trial.outcome.worst) +
                  ", \"trouble\": " + quoted(trial.outcome.trouble) + "}";
    return text + trials + "\n  ],\n  \"attention\": [" + times_json(report.attention) + "\n  ],\n  \"rows\": [" +
           times_json(report.rows) + "\n  ]\n}\n";
}

} // namespace assay::gpu
