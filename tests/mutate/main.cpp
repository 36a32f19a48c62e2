// assay-mutate: puts small random slips into the accepted attempts and sees that the levels reject every one that
// matters. A mutant that the levels accept and that is wrong on a random valid input is a survivor: a gap in the
// levels.
//
//   assay-mutate EXERCISE [--count N] [--seed N] [--inputs N] [--keep DIR] [-j 1 or 2]
//
// Without --count: 12 mutants, or 100 where ASSAY_LONG is set. Exits 0 without survivors, 1 with, 2 on wrong usage, 3
// where the environment lacks something, 4 on a fault of ours. Two at a time at most: a mutant that hangs is judged by
// the clock, and a crowded machine would make others look like it.
#include "mutants.hpp"
#include "try_out.hpp"

#include "catalogue/files.hpp"
#include "core/registry.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <thread>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace assay;
using namespace assay::mutate;

struct Request {
    std::string exercise;
    std::uint64_t count = 12, seed = 1, inputs = 2000, jobs = 2;
    fs::path keep;
};

[[noreturn]] void stop(int code, const std::string& sentence) {
    fmt::print(stderr, "assay-mutate: {}\n", sentence);
    std::exit(code);
}

std::uint64_t number(const std::string& option, const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        stop(2, fmt::format("{} takes a whole number, not '{}'", option, text));
    return value;
}

Request parse(const std::vector<std::string>& arguments) {
    Request request;
    const char* asked = std::getenv("ASSAY_LONG");
    if (asked != nullptr && *asked != '\0' && *asked != '0') request.count = 100;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word.empty() || word[0] != '-') {
            if (!request.exercise.empty()) stop(2, "one exercise at a time: " + word + " is the second");
            request.exercise = word;
            continue;
        }
        if (i + 1 == arguments.size()) stop(2, word + " needs a value");
        const std::string& value = arguments[++i];
        if (word == "--count")
            request.count = number(word, value);
        else if (word == "--seed")
            request.seed = number(word, value);
        else if (word == "--inputs")
            request.inputs = number(word, value);
        else if (word == "-j")
            request.jobs = number(word, value);
        else if (word == "--keep")
            request.keep = value;
        else
            stop(2, "unknown option " + word);
    }
    if (request.exercise.empty()) stop(2, "name an exercise: assay-mutate sdpa --count 100 --seed 1");
    request.jobs = std::clamp<std::uint64_t>(request.jobs, 1, 2);
    return request;
}

struct Source {
    std::string name; // "accepted/blocks-of-32.cpp"
    std::string text;
};

/// The solution and every accepted attempt, by name.
std::vector<Source> sources_of(const std::string& exercise) {
    const fs::path folder = source_checkout() / "solutions" / exercise;
    std::vector<fs::path> paths = {folder / "solution.cpp"};
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "accepted", failed))
        if (entry.path().extension() == ".cpp") paths.push_back(entry.path());
    if (failed) stop(3, fmt::format("{} cannot be read: mutants are made in a source checkout", folder.string()));
    std::sort(paths.begin() + 1, paths.end());
    std::vector<Source> sources;
    for (const fs::path& path : paths) {
        bool ok = false;
        Source source{fs::relative(path, folder).string(), read_text(path, ok)};
        if (!ok) stop(3, path.string() + " cannot be read");
        sources.push_back(std::move(source));
    }
    return sources;
}

/// A folder of its own for each file, since an attempt is staged with what lies beside it.
fs::path lay_down(const fs::path& folder, const std::string& exercise, const std::string& text) {
    const fs::path path = folder / (exercise + ".cpp");
    if (const std::string failed = write_text(path, text); !failed.empty()) stop(3, failed);
    return path;
}

/// Tries `count` of them, up to `jobs` at a time; the results are in order.
std::vector<Result> try_all(const Ground& ground, const std::vector<fs::path>& paths, std::uint64_t jobs) {
    std::vector<Result> results(paths.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < paths.size(); i = next++) results[i] = try_out(ground, paths[i]);
    };
    std::vector<std::thread> threads;
    for (std::uint64_t job = 1; job < jobs; ++job) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    return results;
}

struct TemporaryFolder {
    fs::path path = fs::temp_directory_path() / fmt::format("assay-mutate-{}", getpid());
    ~TemporaryFolder() {
        std::error_code failed;
        fs::remove_all(path, failed);
    }
};

/// The sources that mutants are drawn from must pass the levels and the storm themselves, or survivors would mean
/// nothing.
void check_sources(const Ground& ground, const std::vector<Source>& sources, const std::vector<Pick>& picks,
                   const fs::path& folder, std::uint64_t jobs) {
    std::vector<std::size_t> drawn;
    std::vector<fs::path> paths;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (std::none_of(picks.begin(), picks.end(), [&](const Pick& pick) { return pick.source == i; })) continue;
        drawn.push_back(i);
        paths.push_back(lay_down(folder / fmt::format("source-{}", i), ground.exercise.id, sources[i].text));
    }
    const std::vector<Result> results = try_all(ground, paths, jobs);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (results[i].verdict == Verdict::AC && !results[i].survives) continue;
        for (const std::string& line : results[i].input) fmt::print("    {}\n", line);
        stop(results[i].verdict == Verdict::JE ? 4 : 1,
             fmt::format("{} is no right attempt to begin with: {} {}", sources[drawn[i]].name,
                         code(results[i].verdict), results[i].reason));
    }
}

int run(const Request& request) {
    const TemporaryFolder temporary;
    const fs::path folder = request.keep.empty() ? temporary.path : fs::absolute(request.keep);
    const auto prepared = prepare(request.exercise, request.inputs, request.seed, temporary.path / "cache");
    if (!prepared) stop(prepared.failure().verdict == Verdict::SKIP ? 2 : 4, prepared.failure().reason);
    const Ground& ground = **prepared;
    const std::vector<Source> sources = sources_of(request.exercise);
    std::vector<std::vector<Mutant>> mutants;
    for (const Source& source : sources) mutants.push_back(mutants_of(source.text));
    const std::vector<Pick> picks = draw(mutants, request.count, request.seed);
    check_sources(ground, sources, picks, folder, request.jobs);
    std::vector<fs::path> paths;
    for (std::size_t i = 0; i < picks.size(); ++i)
        paths.push_back(lay_down(folder / fmt::format("mutant-{}", i), request.exercise,
                                 mutated(sources[picks[i].source].text, mutants[picks[i].source][picks[i].mutant])));
    const std::vector<Result> results = try_all(ground, paths, request.jobs);
    finish_background_builds();

    std::map<std::string_view, int> rejected;
    int uncompiled = 0, equivalent = 0, survivors = 0, faults = 0;
    for (std::size_t i = 0; i < picks.size(); ++i) {
        const Mutant& mutant = mutants[picks[i].source][picks[i].mutant];
        const Result& result = results[i];
        const bool fault = result.verdict == Verdict::JE || result.verdict == Verdict::SKIP;
        std::string end = result.reason;
        if (result.verdict == Verdict::CE) end = "";
        if (result.verdict == Verdict::AC) end = result.survives ? "SURVIVOR" : "right on every random input";
        fmt::print("{:>4}  {:<4} {}:{}:{}: {}{}{}\n", i, code(result.verdict), sources[picks[i].source].name,
                   mutant.line, mutant.column, mutant.change, end.empty() ? "" : "  | ", end);
        for (const std::string& line : result.input) fmt::print("            {}\n", line);
        if (fault)
            ++faults;
        else if (result.verdict == Verdict::CE)
            ++uncompiled;
        else if (result.verdict != Verdict::AC)
            ++rejected[code(result.verdict)];
        else
            ++(result.survives ? survivors : equivalent);
    }
    int all_rejected = 0;
    std::string by_verdict;
    for (const auto& [verdict, count] : rejected) {
        all_rejected += count;
        by_verdict += fmt::format("{}{} {}", by_verdict.empty() ? "" : ", ", verdict, count);
    }
    fmt::print(
        "{} mutants of {} sources (seed {}): {} do not compile, {} rejected ({}), {} right on {} random inputs, {} "
        "survivors\n",
        picks.size(), sources.size(), request.seed, uncompiled, all_rejected, by_verdict, equivalent, request.inputs,
        survivors);
    if (faults > 0) fmt::print(stderr, "assay-mutate: the judge failed on {} mutants\n", faults);
    return faults > 0 ? 4 : survivors > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(parse({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        stop(4, error.what());
    }
}
