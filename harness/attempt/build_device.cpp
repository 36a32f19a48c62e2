#include "attempt/build_device.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace assay {

namespace fs = std::filesystem;

namespace {

// Compiled with the attempt, and what they include.
constexpr std::array compiled{"worker/entry_cuda.cpp", "worker/device_runs_gpu.cpp", "worker/device_clock_gpu.cpp"};
constexpr std::array included{"worker/device_call.hpp", "worker/device_clock.hpp",  "worker/device_errors.hpp",
                              "worker/device_runs.hpp", "worker/device_tensor.hpp", "worker/device_turns.hpp"};

std::vector<std::string> device_sources() {
    std::vector<std::string> all(compiled.begin(), compiled.end());
    all.insert(all.end(), included.begin(), included.end());
    return all;
}

} // namespace

Outcome<Done> add_device_build(ContentHash& hash, const BuildInputs& inputs) {
    hash.add("device").add(inputs.device->nvcc.native()).add(inputs.device->version).add(inputs.device->architecture);
    std::vector<fs::path> files{inputs.contract / "contract.hpp"};
    for (const std::string& source : device_sources()) files.push_back(inputs.device_sources / source);
    for (const fs::path& file : files) {
        const auto text = read_file(file);
        if (!text)
            return Failure{
                Verdict::JE, fmt::format("{} cannot be read: Assay's installation is incomplete", file.native()), {}};
        hash.add(*text);
    }
    return Done{};
}

bool lay_device_sources(const Stage& stage, const BuildInputs& inputs) {
    std::error_code error;
    fs::create_directory(stage.contract() / "worker", error);
    const auto lay = [&](const fs::path& from, const fs::path& to) {
        const auto text = read_file(from);
        return text && write_file(to, *text);
    };
    const std::vector<std::string> sources = device_sources();
    return !error && lay(inputs.contract / "contract.hpp", stage.contract() / "contract.hpp") &&
           std::all_of(sources.begin(), sources.end(), [&](const std::string& source) {
               return lay(inputs.device_sources / source, stage.contract() / source);
           });
}

std::vector<std::string> flags_for_nvcc(const std::vector<std::string>& flags) {
    constexpr std::array<std::string_view, 5> own{"-std=", "-O", "-I", "-D", "-isystem"};
    std::vector<std::string> result;
    for (const std::string& flag : flags) {
        const bool known = std::any_of(own.begin(), own.end(), [&](std::string_view start) {
            return std::string_view(flag).substr(0, start.size()) == start;
        });
        result.push_back(known ? flag : "-Xcompiler=" + flag);
    }
    return result;
}

Command device_command(const Stage& stage, const std::string& name, const BuildInputs& inputs,
                       const Toolchain& toolchain, const BuildOptions& options) {
    Command command;
    std::vector<std::string>& all = command.arguments;
    all = {inputs.device->nvcc.native(), "-ccbin", toolchain.compiler.native()};
    for (const std::string& flag : flags_for_nvcc(inputs.flags)) all.push_back(flag);
    for (const std::string& flag :
         {"-arch=" + inputs.device->architecture, std::string("-cudart=static"), std::string("-shared"),
          std::string("-Xcompiler=-fPIC"), std::string("-Xcompiler=-fdiagnostics-color=never"),
          std::string("-Xlinker=-z,defs"), std::string("-I../contract"), "-I" + fs::absolute(inputs.headers).native(),
          name})
        all.push_back(flag);
    for (const char* source : compiled) all.push_back(std::string("../contract/") + source);
    all.insert(all.end(), {"-o", stage.library().native()});
    command.environment = {"PATH=/usr/bin:/bin", "HOME=/", "LANG=C.UTF-8", "TMPDIR=" + stage.temporary().native()};
    command.folder = stage.attempt();
    command.limits.cpu_seconds = static_cast<double>(options.time_limit.count());
    command.limits.memory = options.memory_limit;
    command.limits.file_bytes = std::uint64_t{256} << 20;
    return command;
}

} // namespace assay
