#include "commands/doctor.hpp"

#include "attempt/device_compiler.hpp"
#include "attempt/device_probe.hpp"
#include "attempt/toolchain.hpp"
#include "catalogue/files.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/probes.hpp"
#include "commands/roofline_gpu.hpp"
#include "core/cuda_contract.hpp"
#include "core/registry.hpp"
#include "python/interpreter.hpp"
#include "report/text.hpp"
#include "sandbox/user_slot.hpp"

#include <fmt/format.h>
#include <string>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#ifndef ASSAY_VERSION
#define ASSAY_VERSION "unknown"
#endif

namespace fs = std::filesystem;

namespace assay {

namespace {

class Doctor {
  public:
    explicit Doctor(const Style& style) : style_(style) {}

    Exit examine() {
        program();
        compilers();
        python();
        gpu();
        sandbox();
        folders();
        if (needed_ == 0)
            print("\n" + style_.paint(Paint::green, "Attempts can be built and checked here.") + "\n");
        else
            print("\n" +
                  style_.paint(Paint::red,
                               fmt::format("{} in the way: see the lines marked 'no'.",
                                           needed_ == 1 ? "One thing is" : fmt::format("{} things are", needed_))) +
                  "\n");
        return needed_ == 0 ? Exit::passed : Exit::environment;
    }

  private:
    const Style& style_;
    int needed_ = 0; // missing things without which nothing can be checked

    void head(std::string_view text) { print("\n" + style_.bold(text) + "\n"); }
    void line(const std::string& mark, std::string_view name, std::string_view text) {
        print(wrapped(text, static_cast<std::size_t>(style_.width), fmt::format("  {} {} ", mark, pad_right(name, 16)),
                      std::string(24, ' ')));
    }
    void good(std::string_view name, std::string_view text) { line(style_.paint(Paint::green, "yes "), name, text); }
    void told(std::string_view name, std::string_view text) { line("    ", name, text); }
    /// Missing, and nothing can be done without it.
    void bad(std::string_view name, std::string_view text) {
        ++needed_;
        line(style_.paint(Paint::red, "no  "), name, text);
    }
    /// Missing, but there is a way without it.
    void lacking(std::string_view name, std::string_view text) {
        line(style_.paint(Paint::yellow, "-   "), name, text);
    }

    void program() {
        print(style_.bold("assay " ASSAY_VERSION) + "\n");
        utsname name{};
        if (uname(&name) == 0) told("system", fmt::format("{} {} {}", name.sysname, name.release, name.machine));
        const Layout& place = layout();
        told("program", printable(place.executable.string()) + (place.sources.empty() ? "" : " (a build tree)"));
        for (const std::string_view id : exercise_ids()) {
            std::error_code failed;
            for (const fs::path& part : {place.worker(id), place.entry_object(id), place.contract(id) / "contract.hpp"})
                if (!fs::exists(part, failed))
                    bad(id, fmt::format("{} is missing: build or install Assay again", part.string()));
        }
        good("exercises", counted(static_cast<long long>(exercise_ids().size()), "exercise"));
    }

    void compilers() {
        head("Building attempts");
        const std::vector<Toolchain> found = all_toolchains(cache_folder());
        for (const Toolchain& one : found) good("compiler", fmt::format("{}, {}", one.version, one.compiler.string()));
        if (found.empty()) bad("compiler", "no C++20 compiler: " + install_command("g++", "gcc-c++", "gcc"));
        helper("mold", "linker", "links several times faster", install_command("mold", "mold", "mold"));
        if (program_on_path("mold").empty())
            helper("ld.lld", "linker", "links faster than the compiler's own", install_command("lld", "lld", "lld"));
        helper("ccache", "ccache", "rebuilds of Assay itself", install_command("ccache", "ccache", "ccache"));
        if (!found.empty()) sanitisers(found.front());
    }

    void python() {
        const Outcome<Interpreter> found = find_interpreter();
        if (found)
            good("python3", fmt::format("{}, {}", found->version, printable(found->program.string())));
        else
            lacking("python3", "no Python 3.9 or newer, for attempts in Python: " +
                                   install_command("python3", "python3", "python"));
    }

    void helper(const char* program, std::string_view name, std::string_view use, const std::string& mend) {
        const std::string path = program_on_path(program);
        if (!path.empty())
            good(name, fmt::format("{} ({})", path, use));
        else
            lacking(name, fmt::format("no {} ({}): {}", program, use, mend));
    }

    /// The run-time library of AddressSanitizer, which a crash's second look needs, stands beside the compiler's own.
    void sanitisers(const Toolchain& toolchain) {
        if (toolchain.family != Toolchain::Family::gcc) return;
        std::error_code failed;
        for (fs::recursive_directory_iterator at("/usr/lib/gcc", fs::directory_options::skip_permission_denied, failed),
             end;
             !failed && at != end; at.increment(failed))
            if (at->path().filename() == "libasan.so")
                return good("sanitisers", "a crash is looked at again, for its line");
        lacking("sanitisers",
                "no libasan: a crash's line cannot be told: " + install_command("libasan8", "libasan", "gcc-libs"));
    }

    void gpu() {
        head("GPU");
        const DeviceProbe probe = probe_devices();
        for (const Device& device : probe.devices)
            good("device", fmt::format("{}, {:.0f} GiB, compute capability {}.{}", device.name,
                                       static_cast<double>(device.memory) / (1 << 30), device.major, device.minor));
        if (probe.devices.empty()) lacking("device", probe.why + "; no exercise needs one");
        std::string asked;
        for (const std::string_view id : exercise_ids())
            if (!cuda_contract_of(id).empty()) asked += fmt::format("{}{}", asked.empty() ? "" : ", ", id);
        std::error_code failed;
        if (fs::exists(layout().cuda_headers() / "cuda_runtime.h", failed))
            good("emulation", fmt::format("attempts in CUDA ({}) run on the CPU: correctness only, no times", asked));
        else
            bad("emulation", fmt::format("{} is missing: build or install Assay again",
                                         (layout().cuda_headers() / "cuda_runtime.h").string()));
        const Outcome<DeviceCompiler> nvcc = find_nvcc();
        if (nvcc)
            good("nvcc", fmt::format("{}, {}", nvcc->version, nvcc->nvcc.native()));
        else
            lacking("nvcc", nvcc.failure().reason + "; no exercise needs it: " +
                                install_command("nvidia-cuda-toolkit", "cuda-toolkit", "cuda"));
        const Outcome<roofline::Cublas> blas = find_cublas(roofline::newest_cublas * 1000);
        if (blas)
            good("cuBLAS", fmt::format("of CUDA {}, {} (roofline --here --device cuda)", blas->major,
                                       printable(blas->library.native())));
        else
            lacking("cuBLAS", blas.failure().reason + "; only roofline --here --device cuda needs it");
    }

    void sandbox() {
        head("Isolation of attempts");
        const Layers& layers = layers_here();
        told("level", fmt::format("{}: {}", name_of(layers.level()), meaning_of(layers.level())));
        if (const std::string unknown = unknown_withheld(); !unknown.empty())
            lacking("ASSAY_WITHOUT", fmt::format("names '{}', which is no layer", printable(unknown)));
        if (::geteuid() == 0)
            layer(Layer::user, layers,
                  fmt::format("attempts run under users {} to {}, not as root", layers.first_user,
                              layers.first_user + user_slots - 1));
        else
            told(name_of(Layer::user), "attempts run under your own; under users of their own where root runs assay");
        layer(Layer::landlock, layers,
              fmt::format("files that are not needed are denied (version {} of its interface)", layers.landlock));
        layer(Layer::seccomp, layers,
              std::string("system calls that are not needed are refused") +
                  (layers.filter_asks ? ", and told by name" : "; the kernel does not tell which"));
        const Bubblewrap& wrap = layers.bubblewrap;
        layer(Layer::bubblewrap, layers,
              fmt::format("{}: no other process, file or network is seen{}", wrap.program,
                          wrap.proc ? "" : "; without a /proc, which this container refuses"));
        layer(Layer::cgroup, layers,
              fmt::format("version {}: one bound on the memory and number of all its processes",
                          layers.cgroup && layers.cgroup->second ? 2 : 1));
        if (!layers.has(Layer::cgroup)) told("", "without it a worker's memory is looked at every 50 ms");
    }

    void layer(Layer which, const Layers& layers, const std::string& what) {
        if (layers.has(which))
            good(name_of(which), what);
        else
            lacking(name_of(which), fmt::format("{}: {}", layers.why_not(which), mend_of(which, layers)));
    }

    void folders() {
        head("Folders");
        const auto folder = [&](std::string_view name, const fs::path& path, std::string_view mend) {
            const std::string reason = unwritable(path);
            if (reason.empty())
                good(name, printable(path.string()));
            else
                lacking(name, fmt::format("{}: {}", reason, mend));
        };
        folder("cache", cache_folder(), "set XDG_CACHE_HOME to a folder that can be written, or builds are not kept");
        folder("progress", state_folder(),
               "set XDG_STATE_HOME to a folder that can be written, or progress is not kept");
    }
};

} // namespace

Exit doctor_command(const DoctorArguments& arguments) {
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    return Doctor(style).examine();
}

} // namespace assay
