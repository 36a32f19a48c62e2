#include "attempt/device_compiler.hpp"

#include "attempt/toolchain_probe.hpp"
#include "sandbox/process.hpp"

#include <chrono>
#include <fmt/format.h>
#include <string_view>

namespace assay {

namespace fs = std::filesystem;

Outcome<DeviceCompiler> find_nvcc() {
    std::optional<fs::path> found = find_program("nvcc");
    if (!found) {
        std::error_code error;
        const fs::path usual = fs::canonical("/usr/local/cuda/bin/nvcc", error);
        if (error) return Failure{Verdict::SKIP, "there is no nvcc on PATH or in /usr/local/cuda/bin", {}};
        found = usual;
    }
    const Outcome<Ended> ended =
        run(Command{{found->native(), "--version"}, {"PATH=/usr/bin:/bin", "HOME=/"}, "/", {}, {}},
            std::chrono::seconds(20));
    if (!ended) return ended.failure();
    // "Cuda compilation tools, release 13.0, V13.0.88"
    const std::size_t at = ended->output.find(", V");
    if (ended->timed_out || !ended->exited || ended->exit_code != 0 || at == std::string::npos)
        return Failure{Verdict::SKIP, fmt::format("{} --version does not say which nvcc it is", found->native()),
                       ended->output};
    const std::size_t end = ended->output.find_first_not_of("0123456789.", at + 3);
    return DeviceCompiler{*found, "nvcc " + ended->output.substr(at + 3, end - at - 3), ""};
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
