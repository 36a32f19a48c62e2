// Real code in a real worker: what it does to its tensors, its process and the judge's channel becomes a verdict.
#include "attempt/build.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

using namespace assay;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path = fs::temp_directory_path() / fmt::format("assay-worker-test-{}", ::getpid());
    Folder() { fs::create_directories(path); }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
};

/// An attempt at sdpa whose `attention` has this body; `before` stands before it.
class Code {
  public:
    explicit Code(const std::string& body, const std::string& before = "") {
        const fs::path source = folder_.path / "sdpa.cpp";
        std::ofstream(source)
            << "#include \"contract.hpp\"\n#include <cfenv>\n#include <cstdio>\n#include <cstdlib>\n"
               "#include <unistd.h>\n"
            << before
            << "\nnamespace sdpa {\nvoid attention(tensor<const float, 4> q, tensor<const float, 4> k, "
               "tensor<const float, 4> v, optional<tensor<const bool, 4>> mask, bool causal, "
               "optional<float> scale, tensor<float, 4> out) {\n"
            << body << "\n}\n}\n";
        const Layout& place = layout();
        const Outcome<Toolchain> toolchain = find_toolchain("", folder_.path / "cache");
        REQUIRE(toolchain.ok());
        BuildOptions options;
        options.cache = folder_.path / "cache";
        options.use_precompiled = false;
        const BuildInputs inputs{
            place.contract("sdpa"), place.headers(), place.entry_object("sdpa"), {"-std=c++20", "-O1"}};
        const Outcome<Built> built = build(source, inputs, *toolchain, options);
        INFO((built ? "" : built.failure().detail));
        REQUIRE(built.ok());
        WorkerSetup setup;
        setup.worker = place.worker("sdpa");
        setup.library = built->library;
        setup.cpu_seconds = 0.5;
        attempt_ = std::make_unique<WorkerAttempt>(*find_exercise("sdpa"), setup);
    }

    Outcome<Answer> ask(std::int64_t keys = 2) {
        const auto input = [](double start, std::int64_t length = 2) {
            return Array::generate(Dtype::f32, {1, 1, length, 3},
                                   [start](const Index& i) { return start + static_cast<double>(3 * i[2] + i[3]); });
        };
        Problem problem;
        problem.route = "attention";
        problem.fields = {{"q", input(0), {}},
                          {"k", input(10, keys), {}},
                          {"v", input(20, keys), {}},
                          {"mask", std::monostate{}, {}},
                          {"causal", true, {}},
                          {"scale", 0.5, {}},
                          {"out", Array::zeros(Dtype::f32, {1, 1, 2, 3}), {}}};
        return attempt_->answer(Level{}, problem);
    }

    WorkerAttempt& attempt() { return *attempt_; }

  private:
    Folder folder_;
    std::unique_ptr<WorkerAttempt> attempt_;
};

const std::string fill = "for (int i = 0; i < 6; ++i) out.data()[i] = v.data()[i];";

} // namespace

TEST_CASE("a worker hands over its arguments and brings back what was written") {
    Code code("for (int i = 0; i < 2; ++i) for (int d = 0; d < 3; ++d) out(0, 0, i, d) = v(0, 0, i, d) * *scale + "
              "(causal ? 1 : 0) + (mask ? 100 : 0); std::puts(\"seen\");");
    const Outcome<Answer> answer = code.ask();
    REQUIRE(answer.ok());
    CHECK(answer->findings.empty());
    REQUIRE(answer->outputs.find("out") != nullptr);
    CHECK(answer->outputs.find("out")->values() == std::vector<double>{11, 11.5, 12, 12.5, 13, 13.5});
    CHECK(code.attempt().printed() == "seen\n");
    CHECK(code.attempt().printed().empty());
    const auto missing = code.attempt().missing_functions();
    REQUIRE(missing.ok());
    CHECK(missing->size() == find_exercise("sdpa")->signatures.size() - 1);
}

TEST_CASE("reads and writes past a tensor die at its guard page, and the tensor is named") {
    Code past(fill + "out.data()[0] = k.data()[k.size()];");
    const Outcome<Answer> read = past.ask();
    REQUIRE_FALSE(read.ok());
    CHECK(read.failure().verdict == Verdict::RTE);
    CHECK(read.failure().reason.find("0 bytes past the end of `k`") != std::string::npos);

    Code before(fill + "out.data()[-1] = 1;");
    before.attempt().fresh(); // a level begins: tensors lie at the start of their pages
    const Outcome<Answer> written = before.ask();
    REQUIRE_FALSE(written.ok());
    CHECK(written.failure().reason.find("4 bytes before the start of `out`") != std::string::npos);
    const Outcome<Answer> later = before.ask(); // at the end of their pages: the canary sees it
    REQUIRE(later.ok());
    REQUIRE(later->findings.size() == 1);
    CHECK(later->findings[0].kind == FindingKind::out_of_bounds);
}

TEST_CASE("a tensor of an earlier call is gone in the next") {
    Code code(fill + "static const float* kept = nullptr; if (!kept) kept = v.data(); else out.data()[0] = *kept;");
    REQUIRE(code.ask(3000).ok()); // k takes nine pages; v lies beyond all that the next call has
    const Outcome<Answer> stale = code.ask(2);
    REQUIRE_FALSE(stale.ok());
    CHECK(stale.failure().reason.find("memory of an earlier call") != std::string::npos);
}

TEST_CASE("rounding mode and flush-to-zero do not outlive a call") {
    Code code("volatile float tiny = 1e-30f, one = 1.0f; const float up = one + tiny; std::fesetround(FE_UPWARD);"
              "for (int i = 0; i < 6; ++i) out.data()[i] = up;");
    for (int call = 0; call < 3; ++call) {
        const Outcome<Answer> answer = code.ask();
        REQUIRE(answer.ok());
        CHECK(answer->outputs.find("out")->values()[0] == 1.0);
    }
}

TEST_CASE("an attempt that speaks on the judge's channel, or closes it, fails by its own doing") {
    Code forged(fill + "for (int fd = 3; fd < 20; ++fd) (void)!::write(fd, \"forged\", 6);");
    const Outcome<Answer> answer = forged.ask();
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.failure().verdict == Verdict::RTE);

    Code closed("for (int fd = 3; fd < 20; ++fd) ::close(fd); for (;;) ::pause();");
    const Outcome<Answer> silence = closed.ask();
    REQUIRE_FALSE(silence.ok());
    CHECK(silence.failure().verdict == Verdict::RTE);
}

TEST_CASE("an attempt on no device cannot throw what only a device's absence throws") {
    Code forged("throw assay::device_unavailable();", "namespace assay { struct device_unavailable {}; }");
    const Outcome<Answer> answer = forged.ask();
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.failure().verdict == Verdict::RTE); // JE would be the judge's fault, and asked again
}

TEST_CASE("what ends a worker while it loads is told, and the next worker is a fresh one") {
    Code exits(fill, "struct Early { Early() { std::_Exit(3); } } early;");
    const auto missing = exits.attempt().missing_functions();
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.failure().verdict == Verdict::RTE);
    CHECK(missing.failure().reason.find("exit(3)") != std::string::npos);

    Code once(fill + "static int calls = 0; if (++calls == 2) std::abort();");
    CHECK(once.ask().ok());
    const Outcome<Answer> aborted = once.ask();
    REQUIRE_FALSE(aborted.ok());
    CHECK(aborted.failure().reason.find("SIGABRT") != std::string::npos);
    CHECK(once.ask().ok()); // its count began anew
}

TEST_CASE("sleeping is over the limit by the clock, spinning by CPU time") {
    Code sleeps("::sleep(60);");
    const Outcome<Answer> slept = sleeps.ask();
    REQUIRE_FALSE(slept.ok());
    CHECK(slept.failure().verdict == Verdict::TLE);
    Code spins("for (volatile int i = 0;; i = i + 1) {}");
    const Outcome<Answer> spun = spins.ask();
    REQUIRE_FALSE(spun.ok());
    CHECK(spun.failure().verdict == Verdict::TLE);
}
