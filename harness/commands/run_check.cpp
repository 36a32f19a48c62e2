#include "commands/run_check.hpp"

#include "attempt/build.hpp"
#include "attempt/build_cuda.hpp"
#include "attempt/crash.hpp"
#include "attempt/worker_attempt.hpp"
#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "commands/build_inputs.hpp"
#include "commands/growth.hpp"
#include "commands/hunt.hpp"
#include "commands/known_names.hpp"
#include "commands/record_frame.hpp"
#include "core/cuda_contract.hpp"
#include "core/registry.hpp"
#include "hunt/remaining.hpp"
#include "judge/selection.hpp"
#include "python/build.hpp"
#include "python/contract_python.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace fs = std::filesystem;

namespace assay {

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

class Run {
  public:
    explicit Run(const CheckRequest& request) : request_(request) {}

    Checked check() {
        prepare();
        translator_ = find_translator(request_.source, request_.compiler);
        if (device_) {
            translator_.emulated = false;
            translator_.device = device_->compiler;
        }
        name_translator(translator_, settings_, record_.environment);
        const auto start = std::chrono::steady_clock::now();
        const Outcome<Built> built =
            translator_.python ? build_python(request_.source, contract_of(exercise_.id), *translator_.python, options_)
                               : build(request_.source, inputs_, translator_.toolchain, options_);
        record_.times.compile_ms = milliseconds_since(start);
        if (!built) return not_built(built.failure());
        record_.source_hash = built->source_hash;
        record_.times.cached = built->cached;
        record_.notes.insert(record_.notes.end(), built->notes.begin(), built->notes.end());

        const auto judging = std::chrono::steady_clock::now();
        const std::optional<std::string> crashed = judge(*built);
        record_.times.judge_ms = milliseconds_since(judging);
        if (crashed && request_.second_look && !translator_.python && !device_) look_again(*crashed);
        return {std::move(record_), std::move(diagnostics_)};
    }

  private:
    const CheckRequest& request_;
    Exercise exercise_;
    Settings settings_;
    BuildInputs inputs_;
    BuildOptions options_;
    Translator translator_;
    Record record_;
    std::string diagnostics_;
    std::optional<HuntAtHand> hunt_;
    std::vector<std::string> not_asked_; // ids of levels
    std::optional<DeviceAtHand> device_; // that the attempt runs on

    void prepare() {
        ExerciseAtHand at_hand = exercise_at_hand(request_.exercise);
        exercise_ = std::move(at_hand.exercise);
        settings_ = std::move(at_hand.settings);
        hunt_ = hunt_at_hand(exercise_.id, request_.source);
        if (hunt_)
            std::erase_if(exercise_.levels, [&](const Level& level) {
                const std::vector<std::string>& asked = hunt_->hunt->levels;
                return std::find(asked.begin(), asked.end(), level.id) == asked.end();
            });
        require_known(exercise_, request_.options);

        if (request_.device != WantedDevice::emulated || is_cuda(request_.source))
            device_ = device_at_hand(request_.source, request_.device);
        if (is_cuda(request_.source)) prepare_cuda();
        const Layout& place = layout();
        inputs_ = build_inputs(exercise_.id, settings_, request_.source,
                               device_ ? std::optional(device_->compiler) : std::nullopt);
        inputs_.flags.insert(inputs_.flags.end(), request_.more_flags.begin(), request_.more_flags.end());
        for (const fs::path& part :
             {inputs_.contract / inputs_.contract_name(), inputs_.headers / "assay" / "tensor.hpp",
              inputs_.entry_object, place.worker(exercise_.id)})
            if (std::error_code failed; !fs::exists(part, failed))
                throw Stop(Exit::environment,
                           fmt::format("the installation lacks {}: build or install Assay again", part.string()));
        options_.cache = cache_folder();
        options_.colour = request_.coloured_diagnostics;
        options_.make_precompiled = request_.make_precompiled;
        options_.time_limit = request_.compile_time;
        if (device_) options_.time_limit *= 4; // nvcc compiles twice, for the host and for the device

        name_exercise(exercise_, settings_, record_);
        record_.source = request_.source.filename().string();
        record_.seed = request_.options.seed;
        record_.solution_revealed = request_.solution_revealed;
        record_.partial = !request_.options.level.empty() || !request_.options.case_spec.empty();
        record_.environment = environment_of(*request_.layers);
        options_.layers = request_.layers;
    }

    /// What CUDA leaves out, and what runs it.
    void prepare_cuda() {
        if (cuda_contract_of(exercise_.id).empty())
            throw Stop(Exit::usage, fmt::format("{} is not asked in CUDA: write it in C++ or Python", exercise_.id));
        not_asked_ = levels_not_in_cuda(exercise_);
        record_.notes.push_back(
            device_ ? fmt::format("cuda: ran on {} ({})", device_->device.name, device_->compiler.architecture)
                    : "emulated: correctness only; no GPU ran this");
        std::string titles;
        for (const Level& level : exercise_.levels)
            if (std::find(not_asked_.begin(), not_asked_.end(), level.id) != not_asked_.end())
                titles += (titles.empty() ? "" : ", ") + level.id;
        if (!titles.empty()) record_.notes.push_back("not asked in CUDA, and no part of its points: " + titles);
    }

    Checked not_built(const Failure& failure) {
        if (failure.verdict == Verdict::SKIP) throw Stop(Exit::usage, failure.reason);
        record_.verdict = failure.verdict;
        record_.reason = failure.reason;
        if (const Outcome<std::string> hash = source_hash_of(request_.source)) record_.source_hash = *hash;
        if (failure.verdict == Verdict::CE) {
            record_.compiler_output = without_escapes(failure.detail);
            diagnostics_ = failure.detail;
            skip_all_levels(exercise_, "not run: the attempt does not compile", record_, not_asked_);
        } else {
            if (!failure.detail.empty()) record_.notes.push_back(without_escapes(failure.detail));
            skip_all_levels(exercise_, "not run", record_, not_asked_);
        }
        return {std::move(record_), std::move(diagnostics_)};
    }

    WorkerSetup setup(const Built& built) const {
        WorkerSetup setup = worker_setup(exercise_.id, settings_, built);
        setup.layers = request_.layers;
        if (request_.cpu_seconds > 0) setup.cpu_seconds = request_.cpu_seconds;
        if (device_) open_device(setup, *device_);
        if (translator_.python) start_in_python(setup, *translator_.python, built);
        return setup;
    }

    /// Gives what is worth a second look: the id of a case, or "" for loading the attempt.
    std::optional<std::string> judge(const Built& built) {
        WorkerAttempt attempt(exercise_, setup(built));
        const Outcome<std::vector<std::string>> missing = attempt.missing_functions();
        if (!missing) {
            record_.verdict = missing.failure().verdict;
            record_.reason = missing.failure().reason;
            skip_all_levels(exercise_, "not run: the attempt could not be loaded", record_, not_asked_);
            if (record_.verdict == Verdict::RTE) return "";
            return std::nullopt;
        }
        CheckOptions options = request_.options;
        options.not_asked = not_asked_;
        if (hunt_) options.explain = false; // a diagnosis would say where the bug is
        const Outcome<Done> done =
            assay::check(exercise_, attempt, options, explained(built.library, *missing), record_);
        record_.times.attempt_ms = attempt.spent() * 1e3;
        if (!done) {
            const Exit exit = done.failure().verdict == Verdict::SKIP ? Exit::usage : Exit::fault;
            throw Stop(exit, done.failure().reason);
        }
        if (hunt_ && !record_.partial) tell_hunt(attempt);
        // Python holds what it likes, and takes seconds for a million pairs.
        if (request_.growth && !hunt_ && !translator_.python && request_.options.case_spec.empty())
            enter_memory_growth(exercise_, setup(built), record_);
        const auto first = first_failure(record_);
        if (first && first->failing != nullptr && worth_a_second_look(*first->failing)) return first->failing->id;
        return std::nullopt;
    }

    void tell_hunt(WorkerAttempt& attempt) {
        HuntRecord& told = hunt_->record;
        if (record_.verdict == Verdict::AC) {
            told.remaining = 0;
            for (const int bug : hunt_->planted.bugs)
                told.found.push_back(hunt_->hunt->bugs[static_cast<std::size_t>(bug)].sentence);
        } else if (record_.verdict != Verdict::JE)
            told.remaining =
                count_remaining(*hunt_->hunt, exercise_, hunt_->whole, hunt_->planted, attempt, request_.options.seed);
        record_.hunt = told;
    }

    std::vector<MissingFunction> explained(const fs::path& library, const std::vector<std::string>& missing) const {
        std::vector<WantedFunction> wanted;
        for (const std::string& name : missing)
            for (const Signature& signature : exercise_.signatures)
                if (signature.name == name) wanted.push_back({signature.scope, signature.name, signature.readable});
        if (translator_.emulated || device_)
            for (WantedFunction& function : wanted)
                for (const CudaFunction& asked : cuda_contract_of(exercise_.id))
                    if (asked.name == function.name) function.readable = asked.readable;
        if (wanted.empty()) return {};
        const std::vector<std::string> reasons = translator_.python
                                                     ? explain_missing_in_python(contract_of(exercise_.id), missing)
                                                     : explain_missing(library, wanted, *request_.layers);
        std::vector<MissingFunction> result;
        for (std::size_t i = 0; i < wanted.size(); ++i) result.push_back({wanted[i].name, reasons[i]});
        return result;
    }

    /// A signal or a write out of bounds (of the emulation's shared memory, too): a sanitiser may know the line. An
    /// exception or an early exit it does not.
    static bool worth_a_second_look(const CaseRecord& failing) {
        const bool out_of_bounds = std::any_of(failing.findings.begin(), failing.findings.end(),
                                               [](const Finding& f) { return f.kind == FindingKind::out_of_bounds; });
        return out_of_bounds ||
               (failing.verdict == Verdict::RTE && (failing.reason.find("SIG") != std::string::npos ||
                                                    failing.reason.find("past the end of") != std::string::npos ||
                                                    failing.reason.find("past their end") != std::string::npos));
    }

    /// Builds the attempt with sanitisers and asks the failing case again ("" = only loads it). A second look that
    /// shows nothing leaves the record as it is.
    void look_again(const std::string& case_id) {
        BuildOptions options = options_;
        options.sanitise = true;
        options.colour = false;
        const Outcome<Built> built = build(request_.source, inputs_, translator_.toolchain, options);
        if (!built) return;
        WorkerSetup slow = setup(*built);
        slow.cpu_seconds *= 10; // sanitised code is several times slower
        slow.memory = 0;        // AddressSanitizer reserves terabytes of address space for its shadow
        WorkerAttempt attempt(exercise_, slow);
        if (const auto missing = attempt.missing_functions(); missing && !case_id.empty()) {
            CheckOptions again = request_.options;
            again.not_asked = not_asked_;
            if (again.case_spec.empty()) again.case_spec = case_id;
            again.explain = false;
            Record scratch;
            if (!assay::check(exercise_, attempt, again, explained(built->library, *missing), scratch)) return;
        }
        record_.crash = parse_sanitiser_report(attempt.last_words(), request_.source.filename().string());
    }
};

} // namespace

Checked run_check(const CheckRequest& request) { return Run(request).check(); }

void precompile_for(const std::string& exercise, const std::vector<fs::path>& sources, const std::string& compiler,
                    const std::vector<std::string>& more_flags) {
    const Outcome<Settings> settings = settings_of(exercise);
    if (!settings) return;
    BuildOptions options;
    options.cache = cache_folder();
    const Outcome<Toolchain> toolchain = find_toolchain(compiler, options.cache);
    if (!toolchain) return;
    for (const bool cuda : {false, true}) {
        std::vector<fs::path> compiled;
        std::copy_if(sources.begin(), sources.end(), std::back_inserter(compiled),
                     [&](const fs::path& source) { return !is_python(source) && is_cuda(source) == cuda; });
        if (compiled.empty()) continue;
        BuildInputs inputs = build_inputs(exercise, *settings, compiled.front());
        inputs.flags.insert(inputs.flags.end(), more_flags.begin(), more_flags.end());
        assay::precompile_for(compiled, inputs, *toolchain, options);
    }
}

Exit exit_of(const Record& record) {
    switch (record.verdict) {
    case Verdict::AC: return Exit::passed;
    case Verdict::JE: return Exit::fault;
    default: return Exit::falls_short;
    }
}

} // namespace assay
