// Attempts that hold a known amount of memory: what the judge says of it, at every level of isolation.
#include "attempt/build.hpp"
#include "attempt/build_cache.hpp"
#include "attempt/sdpa_library.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "catch.hpp"
#include "core/registry.hpp"

#include <filesystem>
#include <fmt/format.h>

using namespace assay;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t off = 3 * mib / 4; // the kernel counts in batches of a thread and a processor

/// `scale` says how many MiB to hold, and `causal` how.
const char* const holds = R"(
    const std::size_t bytes = static_cast<std::size_t>(*scale * (1 << 20));
    static char* kept = nullptr;
    char* block = nullptr;
    if (mask) {                      // kept for the next call
        if (kept == nullptr) kept = static_cast<char*>(std::malloc(bytes));
        std::memset(kept, 1, bytes);
    } else if (causal) {             // shared with nobody
        block = static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        std::memset(block, 1, bytes);
        munmap(block, bytes);
    } else {                         // small blocks, given back
        char* list = nullptr;
        for (std::size_t had = 0; had + 16384 <= bytes; had += 16384) {
            char* next = static_cast<char*>(std::malloc(16368));
            std::memset(next, 1, 16368);
            std::memcpy(next, &list, sizeof list);
            list = next;
        }
        while (list != nullptr) {
            char* next = nullptr;
            std::memcpy(&next, list, sizeof next);
            std::free(list);
            list = next;
        }
    }
    float sum = 0;
    for (std::size_t j = 0; j < k.extent(2); ++j) sum += k(0, 0, j, 0) + v(0, 0, j, 2);
    for (std::size_t i = 0; i < out.extent(2); ++i)
        for (std::size_t d = 0; d < 3; ++d) out(0, 0, i, d) = sum;
)";

class Holder {
  public:
    Holder() : folder_(folder()) {
        const fs::path source = folder_.path() / "sdpa.cpp";
        REQUIRE(write_file(source, fmt::format("#include \"contract.hpp\"\n#include <cstdlib>\n#include <cstring>\n"
                                               "#include <sys/mman.h>\nnamespace sdpa {{\n"
                                               "void attention(tensor<const float, 4>, tensor<const float, 4> k, "
                                               "tensor<const float, 4> v, optional<tensor<const bool, 4>> mask, bool "
                                               "causal, optional<float> scale, tensor<float, 4> out) {{{}}}\n}}\n",
                                               holds)));
        library_ = tests::sdpa_library(source);
    }

    WorkerAttempt attempt(const Layers& layers) const {
        WorkerSetup setup;
        setup.worker = layout().worker("sdpa");
        setup.library = library_;
        setup.layers = &layers;
        setup.cpu_seconds = 60; // a machine may be busy, and this is about memory
        return WorkerAttempt(*find_exercise("sdpa"), setup);
    }

  private:
    static TemporaryFolder folder() {
        Outcome<TemporaryFolder> made = TemporaryFolder::make(fs::temp_directory_path());
        if (!made) throw std::runtime_error(made.failure().reason);
        return std::move(*made);
    }
    TemporaryFolder folder_;
    fs::path library_;
};

const Holder& holder() {
    static const Holder one;
    return one;
}

enum class How { freed, shared, kept };

Problem asks(How how, double mebibytes, std::int64_t keys = 2) {
    Problem problem;
    problem.route = "attention";
    problem.fields = {{"q", Array::zeros(Dtype::f32, {1, 1, 2, 3}), {}},
                      {"k", Array::zeros(Dtype::f32, {1, 1, keys, 3}), {}},
                      {"v", Array::zeros(Dtype::f32, {1, 1, keys, 3}), {}},
                      {"mask", std::monostate{}, {}},
                      {"causal", how == How::shared, {}},
                      {"scale", mebibytes, {}},
                      {"out", Array::zeros(Dtype::f32, {1, 1, 2, 3}), {}}};
    if (how == How::kept) problem.fields[3].value = Array::zeros(Dtype::boolean, {1, 1, 1, 1});
    return problem;
}

void check_near(const Outcome<std::int64_t>& peak, std::int64_t mebibytes) {
    INFO((peak ? fmt::format("{} KiB", *peak >> 10) : peak.failure().reason));
    REQUIRE(peak.ok());
    CHECK(*peak >= mebibytes * mib - off);
    CHECK(*peak <= mebibytes * mib + off);
}

} // namespace

TEST_CASE("the peak is what was held at once, from 1 to 256 MiB, freed, kept or shared, at every level of isolation") {
    const Layers none = without(layers_here(), {Layer::landlock, Layer::seccomp, Layer::bubblewrap, Layer::cgroup});
    const Layers filtered = without(layers_here(), {Layer::bubblewrap, Layer::cgroup});
    const Layers contained = without(layers_here(), {Layer::cgroup});
    const Layers& all = layers_here();
    for (const Layers* one : {&none, &filtered, &contained, &all}) {
        const Layers& layers = *one;
        WorkerAttempt attempt = holder().attempt(layers);
        INFO("isolation " << name_of(layers.level()));
        for (const std::int64_t held : {1, 16, &layers == &all ? 256 : 48})
            for (const How how : {How::freed, How::shared, How::kept}) {
                INFO(held << " MiB, " << static_cast<int>(how));
                check_near(attempt.peak_bytes(Level{}, asks(how, static_cast<double>(held))), held);
            }
    }
}

TEST_CASE("tensors are none of the attempt's own memory, however large") {
    WorkerAttempt attempt = holder().attempt(layers_here());
    check_near(attempt.peak_bytes(Level{}, asks(How::freed, 0, 2'000'000)), 0); // 46 MiB of keys and values
    check_near(attempt.peak_bytes(Level{}, asks(How::freed, 8, 2'000'000)), 8);
}

TEST_CASE("a peak is that of a fresh process: an earlier call's memory is not in it") {
    WorkerAttempt attempt = holder().attempt(layers_here());
    REQUIRE(attempt.answer(Level{}, asks(How::kept, 64)).ok());
    check_near(attempt.peak_bytes(Level{}, asks(How::freed, 2)), 2);
}

TEST_CASE("a level's script asks for the peak of one call") {
    WorkerAttempt attempt = holder().attempt(layers_here());
    Level level;
    level.script = [](Caller& caller, const Problem& problem) -> Outcome<Outputs> {
        std::vector<Argument> arguments;
        for (const Field& field : problem.fields)
            arguments.push_back({field.value, field.name == "out" ? Mode::out : Mode::in});
        const Outcome<std::int64_t> peak = caller.peak_bytes("attention", arguments);
        if (!peak) return peak.failure();
        const double value = static_cast<double>(*peak);
        return Outputs{{{"peak", Array::of(Dtype::f64, {}, std::span(&value, 1))}}};
    };
    const Outcome<Answer> answer = attempt.answer(level, asks(How::freed, 32));
    REQUIRE(answer.ok());
    CHECK(answer->outputs.find("peak")->at({}) == Approx(32.0 * mib).margin(off));
}

TEST_CASE("an attempt that dies while it is measured fails by its own verdict") {
    WorkerAttempt attempt = holder().attempt(layers_here());
    const Outcome<std::int64_t> peak = attempt.peak_bytes(Level{}, asks(How::freed, 4096));
    REQUIRE_FALSE(peak.ok());
    CHECK((peak.failure().verdict == Verdict::MLE || peak.failure().verdict == Verdict::RTE));
}
