// An attempt in CUDA built by nvcc with its entry, as far as that goes without a GPU.
#include "attempt/build_device.hpp"

#include "attempt/device_probe.hpp"
#include "attempt/workbench.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "core/registry.hpp"
#include "sandbox/trial.hpp"

#include <algorithm>
#include <string>

using namespace assay;
using assay::tests::skipped;
namespace fs = std::filesystem;

namespace {

/// Defines the first function of sdpa's contract alone.
const std::string attempt_text = "#include \"contract.cuh\"\n"
                                 "using assay::device_view;\n"
                                 "__global__ void kernel(device_view<float, 4> out) { out(0, 0, 0, 0) = 0; }\n"
                                 "void sdpa::attention(device_view<const float, 4>, device_view<const float, 4>,\n"
                                 "    device_view<const float, 4>, optional<device_view<const bool, 4>>, bool,\n"
                                 "    optional<float>, device_view<float, 4> out, cudaStream_t stream) {\n"
                                 "    kernel<<<1, 1, 0, stream>>>(out);\n"
                                 "}\n";

Outcome<Built> built(const std::string& text, const std::string& architecture, const DeviceCompiler& nvcc) {
    const workbench::TemporaryFolder folder = workbench::temporary_folder();
    workbench::put(folder.path() / "sdpa.cu", text);
    BuildInputs inputs{layout().contract("sdpa"), layout().headers(), "", {"-std=c++20", "-O2"}};
    inputs.device = nvcc;
    inputs.device->architecture = architecture;
    inputs.device_sources = layout().device_sources();
    BuildOptions options;
    options.cache = fs::path(ASSAY_BIN).parent_path().parent_path() / "test-cache";
    options.time_limit = std::chrono::seconds(120);
    const Outcome<Toolchain> toolchain = find_toolchain("", options.cache);
    REQUIRE(toolchain.ok());
    return build(folder.path() / "sdpa.cu", inputs, *toolchain, options);
}

} // namespace

TEST_CASE("nvcc's diagnostics read as other compilers'", "[device]") {
    CHECK(as_other_compilers("a.cu(12): error: identifier \"x\" is undefined\n      x;\n") ==
          "a.cu:12: error: identifier \"x\" is undefined\n      x;\n");
    CHECK(as_other_compilers("a.cu(3): catastrophic error: cannot open source file \"b.h\"") ==
          "a.cu:3: fatal error: cannot open source file \"b.h\"");
    CHECK(as_other_compilers("f(x): error of ours\n") == "f(x): error of ours\n");
}

TEST_CASE("flags that are not nvcc's go to the compiler that it starts", "[device]") {
    CHECK(flags_for_nvcc({"-std=c++20", "-O2", "-fopenmp", "-march=native"}) ==
          std::vector<std::string>{"-std=c++20", "-O2", "-Xcompiler=-fopenmp", "-Xcompiler=-march=native"});
}

TEST_CASE("a script that starts nvcc elsewhere is seen through", "[device]") {
    const Outcome<DeviceCompiler> nvcc = find_nvcc();
    if (skipped(!nvcc, "there is no nvcc")) return;
    const workbench::TemporaryFolder folder = workbench::temporary_folder();
    const fs::path script = folder.path() / "nvcc";
    workbench::put(script, "#!/bin/sh\nexec " + nvcc->nvcc.native() + " \"$@\"\n");
    fs::permissions(script, fs::perms::owner_all);
    const Outcome<DeviceCompiler> wrapped = nvcc_at(script);
    REQUIRE(wrapped.ok());
    CHECK(wrapped->nvcc == nvcc->nvcc);
    CHECK(wrapped->version == nvcc->version);
    CHECK(built(attempt_text, "compute_80", *wrapped).ok());
    workbench::put(script, "#!/bin/sh\necho 'a compiler, V13.0.1'\n"); // says no place
    fs::permissions(script, fs::perms::owner_all); // it is another file
    const Outcome<DeviceCompiler> mute = nvcc_at(script);
    REQUIRE(mute.ok());
    CHECK(mute->nvcc == script);
}

TEST_CASE("an attempt and its entry are built for devices", "[device]") {
    const Outcome<DeviceCompiler> nvcc = find_nvcc();
    if (skipped(!nvcc, "there is no nvcc")) return;
    for (const char* architecture : {"compute_75", "compute_80", "compute_90"}) {
        const Outcome<Built> made = built(attempt_text, architecture, *nvcc);
        INFO(architecture << (made ? "" : made.failure().reason + "\n" + made.failure().detail));
        REQUIRE(made.ok());
        WorkerSetup setup;
        setup.worker = layout().worker("sdpa");
        setup.library = made->library;
        WorkerAttempt attempt(*find_exercise("sdpa"), setup);
        const Outcome<std::vector<std::string>> missing = attempt.missing_functions();
        INFO((missing ? "" : missing.failure().reason));
        REQUIRE(missing.ok());
        CHECK(std::find(missing->begin(), missing->end(), "attention") == missing->end());
        CHECK(std::find(missing->begin(), missing->end(), "attention_f16") != missing->end());
    }
}

TEST_CASE("a GPU that does not open is not the attempt's fault", "[device]") {
    const Outcome<DeviceCompiler> nvcc = find_nvcc();
    if (skipped(!nvcc, "there is no nvcc") || skipped(!probe_devices().devices.empty(), "there is a GPU")) return;
    const Outcome<Built> made = built(attempt_text, "compute_80", *nvcc);
    REQUIRE(made.ok());
    WorkerSetup setup;
    setup.worker = layout().worker("sdpa");
    setup.library = made->library;
    setup.devices = {"/dev/null"}; // only a worker that is given one can say that it does not open
    const Array one = Array::zeros(Dtype::f32, {1, 1, 1, 1});
    Problem problem;
    problem.route = "attention";
    problem.fields = {{"q", one, {}},       {"k", one, {}},     {"v", one, {}},  {"mask", std::monostate{}, {}},
                      {"causal", true, {}}, {"scale", 0.5, {}}, {"out", one, {}}};
    for (const bool timed : {false, true}) {
        setup.timed = timed;
        WorkerAttempt attempt(*find_exercise("sdpa"), setup);
        const Outcome<Answer> answer = attempt.answer(Level{}, problem);
        REQUIRE_FALSE(answer.ok());
        INFO(answer.failure().reason);
        CHECK(answer.failure().verdict == Verdict::JE);
        CHECK(answer.failure().reason.find("the GPU could not be opened: cudaError") != std::string::npos);
    }
}

TEST_CASE("what nvcc refuses is told by the attempt's own lines", "[device]") {
    const Outcome<DeviceCompiler> nvcc = find_nvcc();
    if (skipped(!nvcc, "there is no nvcc")) return;
    const Outcome<Built> made =
        built("#include \"contract.cuh\"\n__global__ void kernel() { nowhere = 1; }\n", "compute_90", *nvcc);
    REQUIRE_FALSE(made.ok());
    CHECK(made.failure().verdict == Verdict::CE);
    CHECK(made.failure().reason == "it does not compile: sdpa.cu:2: identifier \"nowhere\" is undefined");
}
