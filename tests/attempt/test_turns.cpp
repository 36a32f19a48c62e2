// What judge and worker say to each other around a call that is timed on a device. No device is needed: an attempt in
// C++ says what the clock of one in CUDA would.
#include "attempt/build.hpp"
#include "attempt/sdpa_library.hpp"
#include "attempt/workbench.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

#include <cmath>
#include <memory>
#include <string>

using namespace assay;
namespace fs = std::filesystem;

namespace {

/// An attempt at sdpa whose `attention` has this body, in which `turns` tells the judge.
class Told {
  public:
    explicit Told(const std::string& body, bool device = true) {
        const fs::path source = folder_.path() / "sdpa.cpp";
        workbench::put(
            source,
            "#include \"contract.hpp\"\n#include <cmath>\n#include <stdexcept>\n#include <unistd.h>\n"
            "struct Turns { void (*begin)(); void (*end)(double, double); };\n"
            "static const Turns* turns;\n" +
                std::string(device ? "extern \"C\" void assay_device_turns(const Turns* t) { turns = t; }\n" : "") +
                "namespace sdpa {\nvoid attention(tensor<const float, 4>, tensor<const float, 4>, "
                "tensor<const float, 4>, optional<tensor<const bool, 4>>, bool, optional<float>, "
                "tensor<float, 4> out) {\n    out(0, 0, 0, 0) = 1;\n" +
                body + "\n}\n}\n");
        WorkerSetup setup;
        setup.worker = layout().worker("sdpa");
        setup.library = tests::sdpa_library(source);
        setup.timed = true;
        attempt_ = std::make_unique<WorkerAttempt>(*find_exercise("sdpa"), setup);
    }

    Outcome<Answer> ask() {
        const Array one = Array::zeros(Dtype::f32, {1, 1, 1, 1});
        Problem problem;
        problem.route = "attention";
        problem.fields = {{"q", one, {}},       {"k", one, {}},     {"v", one, {}},  {"mask", std::monostate{}, {}},
                          {"causal", true, {}}, {"scale", 0.5, {}}, {"out", one, {}}};
        return attempt_->answer(Level{}, problem);
    }
    std::string failure() {
        const Outcome<Answer> answer = ask();
        return answer ? "" : answer.failure().reason;
    }
    WorkerAttempt& attempt() { return *attempt_; }

  private:
    TemporaryFolder folder_ = workbench::temporary_folder();
    std::unique_ptr<WorkerAttempt> attempt_;
};

const std::string touched = "the attempt wrote to the judge's channel: an attempt may not touch it";

} // namespace

TEST_CASE("a timed call is told by its worker and seen by the judge, turn by turn", "[device]") {
    Told told("turns->begin(); turns->end(1e-6, 2e-6);\n"
              "turns->begin(); ::usleep(20000); turns->end(3e-3, 20e-3);\n::usleep(300000);");
    for (int call = 0; call < 2; ++call) {
        const Outcome<Answer> answer = told.ask();
        INFO((answer ? "" : answer.failure().reason));
        REQUIRE(answer.ok());
        REQUIRE(answer->device.size() == 1);
        const DeviceTimes& times = answer->device.front();
        CHECK(times.empty.events == 1e-6);
        CHECK(times.empty.host == 2e-6);
        CHECK(times.empty.judge > 0);
        CHECK(times.call.events == 3e-3);
        CHECK(times.call.host == 20e-3);
        CHECK(times.call.judge >= 20e-3);
        CHECK(times.call.judge <= answer->seconds - 0.3); // what comes after the turn is in the whole call alone
        CHECK(answer->outputs.find("out") != nullptr);
    }
}

TEST_CASE("a call that does not go through its turns is no answer", "[device]") {
    CHECK(Told("").failure() == touched);
    CHECK(Told("turns->begin(); turns->end(0, 0);").failure() == touched);
    CHECK(Told("turns->end(0, 0);").failure() == touched);
    CHECK(Told("turns->begin(); turns->begin();").failure() == touched);
    CHECK(Told("for (int i = 0; i < 3; ++i) { turns->begin(); turns->end(0, 0); }").failure() == touched);
}

TEST_CASE("an exception, an exit or an endless loop within a turn is told as anywhere", "[device]") {
    const std::string empty = "turns->begin(); turns->end(0, 0); turns->begin(); ";
    CHECK(Told(empty + "throw std::runtime_error(\"its own\");").failure() ==
          "attention let std::runtime_error escape: its own");
    CHECK(Told("throw std::runtime_error(\"at once\");").failure() ==
          "attention let std::runtime_error escape: at once");
    CHECK(Told(empty + "::_exit(7);").failure() == "attention called exit(7) before it had answered: return instead");
    CHECK(Told(empty + "for (volatile int i = 0;; i = i + 1) {}").failure().find("did not end within 2 s") !=
          std::string::npos);
}

TEST_CASE("what is told as a time need be none: the judge is given it as it stands", "[device]") {
    const Outcome<Answer> answer =
        Told("turns->begin(); turns->end(NAN, -1); turns->begin(); turns->end(INFINITY, 1e300);").ask();
    REQUIRE(answer.ok());
    CHECK(std::isnan(answer->device.front().empty.events));
    CHECK(answer->device.front().call.host == 1e300);
}

TEST_CASE("what is not built for a device cannot be timed on one", "[device]") {
    Told plain("", false);
    const Outcome<std::vector<std::string>> missing = plain.attempt().missing_functions();
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.failure().reason ==
          "the attempt could not be loaded: it was not built for a device, where its calls could be timed");
}

TEST_CASE("results that are written after a call was said to be over are none", "[device]") {
    CHECK(Told("for (int i = 0; i < 2; ++i) { turns->begin(); turns->end(0, 0); }\n    ::usleep(100000); out(0, 0, 0, "
               "0) = 2;")
              .failure() ==
          "attention wrote results after it was said to be over: an attempt may not touch the judge's channel, nor "
          "leave work behind");
}
