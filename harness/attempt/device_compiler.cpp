#include "attempt/device_compiler.hpp"

#include "attempt/toolchain_probe.hpp"
#include "sandbox/process.hpp"

#include <chrono>
#include <fmt/format.h>
#include <string_view>

namespace assay {

namespace fs = std::filesystem;

namespace {

Outcome<Ended> ask(const fs::path& nvcc, const std::vector<std::string>& arguments) {
    std::vector<std::string> all{nvcc.native()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(Command{all, {"PATH=/usr/bin:/bin", "HOME=/"}, "/", {}, {}}, std::chrono::seconds(20));
}

/// What lies on PATH may be a script that starts nvcc elsewhere, which the sandbox would not show. nvcc says itself where
/// it is: "#$ _HERE_=/usr/local/cuda-13.0/bin".
fs::path without_wrapper(const fs::path& nvcc) {
    const Outcome<Ended> ended = ask(nvcc, {"-dryrun", "-x", "cu", "-E", "/dev/null"});
    const std::string_view said = ended ? std::string_view(ended->output) : std::string_view();
    constexpr std::string_view key = "#$ _HERE_=";
    const std::size_t at = said.find(key);
    if (at == std::string_view::npos) return nvcc;
    const std::size_t start = at + key.size();
    std::error_code error;
    const fs::path real = fs::canonical(fs::path(said.substr(start, said.find('\n', start) - start)) / "nvcc", error);
    return error ? nvcc : real;
}

} // namespace

Outcome<DeviceCompiler> find_nvcc() {
    const std::optional<fs::path> found = find_program("nvcc");
    if (found) return nvcc_at(*found);
    std::error_code error;
    const fs::path usual = fs::canonical("/usr/local/cuda/bin/nvcc", error);
    if (error) return Failure{Verdict::SKIP, "there is no nvcc on PATH or in /usr/local/cuda/bin", {}};
    return nvcc_at(usual);
}

Outcome<DeviceCompiler> nvcc_at(const fs::path& nvcc) {
    const Outcome<Ended> ended = ask(nvcc, {"--version"});
    if (!ended) return ended.failure();
    // "Cuda compilation tools, release 13.0, V13.0.88"
    const std::size_t at = ended->output.find(", V");
    if (ended->timed_out || !ended->exited || ended->exit_code != 0 || at == std::string::npos)
        return Failure{Verdict::SKIP, fmt::format("{} --version does not say which nvcc it is", nvcc.native()),
                       ended->output};
    const std::size_t end = ended->output.find_first_not_of("0123456789.", at + 3);
    return DeviceCompiler{without_wrapper(nvcc), "nvcc " + ended->output.substr(at + 3, end - at - 3), ""};
}

std::string as_other_compilers(const std::string& diagnostics) {
    std::string result;
    std::string_view rest = diagnostics;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        std::string line(rest.substr(0, end));
        rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
        for (const std::string_view kind : {"): error", "): warning", "): catastrophic error", "): remark"}) {
            const std::size_t close = line.find(kind);
            const std::size_t open = close == std::string::npos ? close : line.rfind('(', close);
            if (open == std::string::npos || open + 1 == close ||
                line.substr(open + 1, close - open - 1).find_first_not_of("0123456789") != std::string::npos)
                continue;
            line.replace(close, 1, "");
            line.replace(open, 1, ":");
            if (const std::size_t worst = line.find(": catastrophic error"); worst != std::string::npos)
                line.replace(worst, 20, ": fatal error");
            break;
        }
        result += line;
        if (end != std::string_view::npos) result += '\n';
    }
    return result;
}

} // namespace assay
