#include "commands/roofline_gpu.hpp"

#include "attempt/device_compiler.hpp"
#include "commands/print.hpp"
#include "commands/probes.hpp"
#include "report/roofline.hpp"
#include "report/text.hpp"
#include "roofline/cuda_gpu.hpp"
#include "roofline/measure_gpu.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace assay {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void usage(const std::string& sentence) { throw Stop(Exit::usage, sentence); }

/// The value, or Stop: what the machine lacks.
template <class T> T needed(Outcome<T> outcome) {
    if (!outcome) throw Stop(Exit::environment, "--device cuda: " + outcome.failure().reason);
    return std::move(*outcome);
}

void add_libraries(std::vector<fs::path>& folders, const fs::path& toolkit) {
    for (const char* inner : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
        folders.push_back(toolkit / inner);
}

std::vector<roofline::Precision> precisions_of(const std::string& dtype) {
    const std::vector<roofline::Precision> all = roofline::GpuOptions().precisions;
    if (dtype.empty()) return all;
    std::vector<std::string> names;
    for (const roofline::Precision one : all) {
        if (dtype == roofline::name_of(one)) return {one};
        names.emplace_back(roofline::name_of(one));
    }
    usage(fmt::format("--device cuda measures {}; give one of them as --dtype, or leave it out for all",
                      fmt::join(names, ", ")));
}

DataSheet sheet_of(const Chip& chip) {
    DataSheet sheet;
    sheet.chip = chip.name;
    sheet.title = printable(chip.title);
    sheet.source = printable(chip.source);
    for (const Peak& one : chip.peaks) sheet.peaks.emplace_back(one.dtype, one.dense);
    sheet.bandwidth = chip.memory_bandwidth;
    if (const Link* link = chip.link("pcie")) sheet.link = link->per_direction;
    return sheet;
}

} // namespace

std::optional<int> gpu_named(const std::string& device) {
    if (device.empty() || device == "cpu") return std::nullopt;
    if (device == "cuda") return 0;
    constexpr std::string_view prefix = "cuda:";
    int ordinal = -1;
    if (device.starts_with(prefix)) {
        const char* end = device.data() + device.size();
        const auto [at, error] = std::from_chars(device.data() + prefix.size(), end, ordinal);
        if (error != std::errc() || at != end) ordinal = -1;
    }
    if (ordinal < 0 || ordinal > 1023)
        usage(fmt::format("no such device: {} (give --device cpu, cuda, or cuda:1 for the second GPU)",
                          printable(device)));
    return ordinal;
}

Outcome<roofline::Cublas> find_cublas(int driver_version) {
    roofline::CublasPlaces places;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(name); home != nullptr && *home != '\0') add_libraries(places.folders, home);
    add_libraries(places.folders, "/usr/local/cuda");
    if (auto found = roofline::open_cublas(places, driver_version)) return found;
    if (const auto nvcc = find_nvcc()) add_libraries(places.folders, nvcc->nvcc.parent_path().parent_path());
    return roofline::open_cublas(places, driver_version);
}

Exit roofline_on_gpu(const RooflineArguments& arguments, int ordinal, const std::vector<Chip>& chips,
                     const Style& style) {
    if (!arguments.model.empty() || arguments.d_model || arguments.hidden || arguments.gated ||
        !arguments.tokens.empty())
        usage("--device cuda measures products and copies, no network: leave out --model, --d-model, --hidden, --gated "
              "and --tokens");
    if (arguments.threads) usage("--threads is for --device cpu: leave it out");
    roofline::GpuOptions options;
    options.precisions = precisions_of(arguments.dtype);
    options.seconds = arguments.seconds.value_or(10);

    const roofline::CudaDriver driver = needed(roofline::open_driver());
    const roofline::Cublas blas = needed(find_cublas(driver.version));
    const auto gpu = needed(roofline::open_gpu(driver, blas, ordinal));
    const bool watched = isatty(STDERR_FILENO) == 1;
    if (watched) fmt::print(stderr, "Measuring for about {:g} s ...", options.seconds);
    const auto report = roofline::measure_gpu(*gpu, options);
    if (watched) fmt::print(stderr, "\r\x1b[K");
    const roofline::GpuReport measured = needed(report);
    const Chip* chip = chip_of_device(chips, measured.facts.name);
    std::optional<DataSheet> sheet;
    if (chip != nullptr) sheet = sheet_of(*chip);
    const DataSheet* known = sheet ? &*sheet : nullptr;
    print(arguments.json ? gpu_json(measured, known) : gpu_terminal(measured, known, style));
    return Exit::passed;
}

} // namespace assay
