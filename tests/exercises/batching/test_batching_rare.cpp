// A batcher that breaks a promise once in 100,000 events is caught by the real check, and the story is short; and the
// same seed tells the same story whichever compiler has built the attempt.
#include "attempt/build.hpp"
#include "attempt/build_cache.hpp"
#include "attempt/same_core.hpp"
#include "attempt/toolchain.hpp"
#include "attempt/worker_attempt.hpp"
#include "batching.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "judge/check.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace assay;
using namespace assay::batching_test;

namespace {

namespace fs = std::filesystem;

struct Folder {
    fs::path path = fs::temp_directory_path() / ("assay-batching-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
        finish_background_builds();
        std::error_code failed;
        fs::remove_all(path, failed);
    }
};

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// What check says of this source at level 2, asked this case alone.
Record checked(const Folder& folder, const std::string& source, const std::string& compiler, Case more) {
    const fs::path file = folder.path / "attempt.cpp";
    std::ofstream(file) << source;
    const auto settings = settings_of("batching");
    REQUIRE(settings);
    const auto toolchain = find_toolchain(compiler, folder.path / "cache");
    REQUIRE(toolchain);
    BuildOptions options;
    options.cache = folder.path / "cache";
    const Layout& place = layout();
    const auto built =
        build(file, {place.contract("batching"), place.headers(), place.entry_object("batching"), settings->flags},
              *toolchain, options);
    if (!built) FAIL(built.failure().reason << built.failure().detail);
    Exercise one = exercise();
    one.levels = {one.levels[1]};
    one.levels[0].cases = {std::move(more)};
    WorkerSetup setup;
    setup.worker = place.worker("batching");
    setup.library = built->library;
    setup.cpu_seconds = settings->cpu_seconds;
    setup.threads = 1;
    WorkerAttempt attempt(one, setup);
    CheckOptions patient; // the clock must not end a search on a busy machine, or under a sanitiser
    patient.shrinking.time = std::chrono::minutes(2);
    Record record;
    REQUIRE(check(one, attempt, patient, {}, record));
    return record;
}

} // namespace

TEST_CASE("batching: one slip in 100,000 events is caught, and told with at most six arrivals", "[batching]") {
    const Case long_one{"two-days", "",
                        [](std::uint64_t seed) {
                            Random random(seed, "two-days");
                            return batcher_problem(long_day(random, 70'000));
                        },
                        ""};
    const Problem problem = long_one.make(0);
    const Workload work = workload_of(problem);
    Reference reference(work.settings, false, {});
    World world(work, reference);
    world.run();
    REQUIRE(world.events() > 100'000);

    // Where a request arrives at the very instant of the timer while the queue is one short of full, the batch goes
    // without it. That moment is in the run once.
    const std::string right = text_of(source_checkout() / "solutions/batching/solution.cpp");
    std::string wrong =
        replaced(right, "waiting_.push_back({request, length, now});",
                 "if (flight_.empty() && !waiting_.empty() && now == due() &&\n"
                 "            static_cast<std::int64_t>(waiting_.size()) == settings_.max_batch - 1) {\n"
                 "            const decision d = launch(take_fresh(), batch);\n"
                 "            waiting_.push_back({request, length, now});\n"
                 "            return d;\n"
                 "        }\n"
                 "        waiting_.push_back({request, length, now});");
    const Folder folder;
    const Record record = checked(folder, wrong, "", long_one);
    REQUIRE(record.levels.size() == 1);
    CHECK(record.levels[0].cases.back().verdict == Verdict::WA);
    REQUIRE(record.smallest);
    const std::vector<std::string>& story = record.smallest->story;
    const auto tells = [&](const char* what) {
        return std::count_if(story.begin(), story.end(),
                             [&](const std::string& line) { return line.find(what) != std::string::npos; });
    };
    for (const std::string& line : story) INFO(line);
    CHECK(tells(" arrives") >= 2);
    CHECK(tells(" arrives") <= 6);
    CHECK(tells("✗") >= 1);
}

TEST_CASE("batching: g++ and clang++ builds of an attempt get the same verdicts and the same story", "[batching]") {
    const Folder folder;
    if (!find_toolchain("clang++", folder.path / "cache")) return; // not everybody has it
    const Case poisson{"long-poisson", "",
                       [](std::uint64_t seed) {
                           Random random(seed, "long-poisson");
                           return batcher_problem(long_day(random, 3'000));
                       },
                       ""};
    const std::string wrong = text_of(source_checkout() / "solutions/batching/rejected/WA/timer-restarted.cpp");
    const Record a = checked(folder, wrong, "g++", poisson), b = checked(folder, wrong, "clang++", poisson);
    REQUIRE(a.smallest);
    REQUIRE(b.smallest);
    CHECK(a.smallest->story == b.smallest->story);
    CHECK(a.smallest->spec == b.smallest->spec);
    REQUIRE(a.levels[0].cases.size() == b.levels[0].cases.size());
    for (std::size_t i = 0; i < a.levels[0].cases.size(); ++i)
        CHECK(a.levels[0].cases[i].verdict == b.levels[0].cases[i].verdict);
}

TEST_CASE("batching: a seed gives this run on every build of the judge", "[batching]") {
    // FNV-1a over the whole log of the long day: any compiler and any libm must come to it.
    const Problem problem = exercise().levels[1].cases.back().make(0);
    const Workload work = workload_of(problem);
    Reference reference(work.settings, false, {});
    World world(work, reference);
    world.run();
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Entry& entry : world.log)
        for (const std::int64_t number : {entry.at, static_cast<std::int64_t>(entry.kind), entry.request, entry.extra})
            hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x100000001b3u;
    CHECK(world.broken() == 0);
    CHECK(hash == 0xcb303e2acac0353au);
}

TEST_CASE("judge and worker share a core, and get theirs back", "[batching]") {
    cpu_set_t before, during, after;
    REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
    {
        SameCore core(::getpid()); // the thread stands for both
        REQUIRE(::sched_getaffinity(0, sizeof during, &during) == 0);
        CHECK(CPU_COUNT(&during) == 1);
        core.restore(-1);
        REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
        CHECK(CPU_EQUAL(&before, &after));
    }
    const SameCore nobody(-1);
    REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));
}
