#include "commands/exercise_verify.hpp"

#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "commands/bank.hpp"
#include "commands/find_attempt.hpp"
#include "commands/in_order.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/run_check.hpp"
#include "core/registry.hpp"
#include "judge/known_cases.hpp"
#include "judge/verify.hpp"
#include "judge/verify_pairs.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace assay {

namespace {

/// One exercise: what is to be run, and what has come of it.
class Verification {
  public:
    Verification(const Exercise& exercise, const ExerciseVerifyArguments& arguments, const Style& style)
        : exercise_(exercise), arguments_(arguments), style_(style), known_(exercise, 0),
          attempts_(bank_of(exercise, source_checkout(), faults_)) {
        left_out_ = leave_out_python(attempts_, why_left_out_);
        results_.resize(attempts_.size());
        for (const BankAttempt& attempt : attempts_) names_ = std::max(names_, display_width(attempt.name));
    }

    /// In the order in which they are told of. It must not move before they are done.
    void add_tasks(std::vector<Task>& tasks) {
        // The longest first, so that no core is left with one of them at the end; before them what makes others short.
        constexpr int first = 100, soon = 50;
        tasks.push_back({[this] { precompile(); }, [this] { print(style_.bold(exercise_.id) + "\n"); }, first});
        tasks.push_back({[this] { play(); }, [this] { tell_oracle(); }, soon});
        if (exercise_.combined)
            tasks.push_back({[this] { pairs_ = verify_pairs(exercise_, known_); }, [this] { tell_pairs(); }, soon});
        for (std::size_t i = 0; i < attempts_.size(); ++i)
            tasks.push_back(
                {[this, i] { results_[i] = run_attempt(exercise_, attempts_[i], known_, arguments_.compiler); },
                 [this, i] { tell_attempt(i); }, urgency_of(attempts_[i])});
        tasks.back().done = [this, last = tasks.back().done] {
            last();
            tell_score();
        };
    }

    std::size_t faults() const { return faults_.size(); }

  private:
    const Exercise& exercise_;
    const ExerciseVerifyArguments& arguments_;
    const Style& style_;
    KnownCases known_;
    std::vector<std::string> faults_;
    std::vector<BankAttempt> attempts_;
    std::size_t left_out_ = 0; // attempts in Python, where it is not here
    std::string why_left_out_;
    std::vector<BankResult> results_;
    std::size_t names_ = 0; // width of the longest
    SelfTest test_;
    PairTest pairs_;
    std::exception_ptr trouble_;                      // of the self-test
    std::size_t played_ = 0, killed_ = 0, named_ = 0; // by the oracle, a form each
    std::size_t written_ = 0, caught_ = 0;            // rejected attempts, and those that got what they should

    void precompile() {
        std::map<std::vector<std::string>, std::vector<std::filesystem::path>> sources; // by flags
        for (const BankAttempt& attempt : attempts_) sources[more_flags_of(attempt)].push_back(attempt.source);
        try {
            for (const auto& [flags, alike] : sources) precompile_for(exercise_.id, alike, arguments_.compiler, flags);
        } catch (const std::exception&) {
            // the attempts are built without, and say what is wrong
        }
    }

    void play() {
        try {
            test_ = verify_oracle(exercise_, known_);
        } catch (...) {
            trouble_ = std::current_exception();
        }
    }

    void tell_oracle() {
        if (trouble_) std::rethrow_exception(trouble_);
        const Outcome<Settings> settings = settings_of(exercise_.id);
        if (!settings) faults_.push_back(settings.failure().reason);
        if (settings)
            if (const auto pointed = with_points(exercise_, *settings); !pointed)
                faults_.push_back(pointed.failure().reason);
        faults_.insert(faults_.end(), test_.faults.begin(), test_.faults.end());
        played_ = test_.mistakes.size();
        for (const MistakeTrial& trial : test_.mistakes) {
            killed_ += trial.rejected_at == trial.belongs ? 1u : 0u;
            named_ += trial.named_right ? 1u : 0u;
        }
        print(fmt::format("  {}\n", style_.bold("case                      level            kills  first to kill")));
        for (const CaseWorth& worth : test_.cases) {
            const auto kills =
                std::count_if(test_.mistakes.begin(), test_.mistakes.end(), [&](const MistakeTrial& trial) {
                    return std::find(trial.killed_by.begin(), trial.killed_by.end(), worth.id) != trial.killed_by.end();
                });
            std::string first;
            for (const std::string& mistake : worth.first_kills) first += (first.empty() ? "" : ", ") + mistake;
            if (first.empty())
                first = worth.stays.empty() ? style_.paint(Paint::red, "nothing") : style_.dim("stays: " + worth.stays);
            print(wrapped(first, static_cast<std::size_t>(style_.width),
                          fmt::format("  {} {} {:>5}  ", pad_right(worth.id, 25), pad_right(worth.level, 15), kills),
                          std::string(51, ' ')));
        }
        print("\n");
    }

    void tell_pairs() {
        const PairTest& test = pairs_;
        faults_.insert(faults_.end(), test.faults.begin(), test.faults.end());
        print(fmt::format(
            "  two mistakes together: {} of {} told as both, {} where one shows before the other, {} alike\n",
            test.both, test.played, test.hidden, test.alike.size()));
        for (const std::string& two : test.twins)
            print(wrapped("identical by nature: " + two, static_cast<std::size_t>(style_.width), "    - ", "      "));
        for (const std::string& sentence : test.alike)
            print(wrapped(sentence, static_cast<std::size_t>(style_.width), "    - ", "      "));
        print("\n");
    }

    void tell_attempt(std::size_t i) {
        const BankAttempt& attempt = attempts_[i];
        const BankResult& result = results_[i];
        if (attempt.verdict != Verdict::AC) {
            ++written_;
            caught_ += result.fault.empty() ? 1u : 0u;
        }
        if (!result.fault.empty()) faults_.push_back(result.fault);
        std::string told = std::string(code(result.verdict));
        if (!result.level.empty()) told += " at " + result.level;
        std::string named;
        for (const std::string& mistake : result.named) named += (named.empty() ? ", told " : " or ") + mistake;
        const std::string mark =
            result.fault.empty() ? style_.paint(Paint::green, "ok   ") : style_.paint(Paint::red, "FAULT");
        print(fmt::format("  [{:>{}}/{}] {} {}  {}\n", i + 1, std::to_string(attempts_.size()).size(), attempts_.size(),
                          mark, pad_right(attempt.name, names_), told + style_.dim(named)));
    }

    void tell_score() {
        const auto share = [](std::size_t part, std::size_t all) {
            return all == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
        };
        print(fmt::format(
            "\n  mutation score: {} of {} mistakes rejected at their level ({:.1f} %), {} named; {} of {} wrong "
            "attempts got what they should\n",
            killed_, played_, share(killed_, played_), named_, caught_, written_));
        if (left_out_ > 0)
            print(wrapped(fmt::format("{} in Python not run: {}", counted(static_cast<long long>(left_out_), "attempt"),
                                      why_left_out_),
                          static_cast<std::size_t>(style_.width), style_.paint(Paint::yellow, "  skipped: "),
                          "           "));
        for (const std::string& fault : faults_)
            print(wrapped(fault, static_cast<std::size_t>(style_.width), style_.paint(Paint::red, "  fault: "),
                          "         "));
        print(faults_.empty() ? "  " + style_.paint(Paint::green, "sound") + "\n\n"
                              : fmt::format("  {}\n\n", counted(static_cast<long long>(faults_.size()), "fault")));
    }
};

/// As many as there are cores, since attempts compute and seldom wait. An attempt may take two threads and some memory,
/// so no more than eight.
std::size_t workers() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 8); }

} // namespace

Exit exercise_verify_command(const ExerciseVerifyArguments& arguments) {
    require_isolation(arguments.isolation);
    if (arguments.all != arguments.exercise.empty())
        throw Stop(Exit::usage, "name one exercise to verify, or give --all");
    const std::filesystem::path checkout = source_checkout();
    if (checkout.empty())
        throw Stop(Exit::environment,
                   "exercise verify needs a source checkout, and the one this program was built from is gone: "
                   "run it from a build of a checkout");
    std::vector<std::string> ids;
    if (arguments.all)
        for (const std::string_view id : exercise_ids()) ids.emplace_back(id);
    std::error_code failed;
    if (!arguments.all) {
        if (find_exercise(arguments.exercise) == nullptr &&
            std::filesystem::is_directory(checkout / "exercises" / arguments.exercise, failed))
            throw Stop(Exit::usage, fmt::format("the exercise {} is not in this build yet: build again, then verify it",
                                                printable(arguments.exercise)));
        require_exercise(arguments.exercise);
        ids = {arguments.exercise};
    }
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    // All exercises' attempts in one run: none waits for the last attempt of another exercise.
    std::vector<std::unique_ptr<Verification>> verifications;
    std::vector<Task> tasks;
    for (const std::string& id : ids) {
        verifications.push_back(std::make_unique<Verification>(*find_exercise(id), arguments, style));
        verifications.back()->add_tasks(tasks);
    }
    run_in_order(tasks, workers());
    std::size_t faults = 0;
    for (const auto& verification : verifications) faults += verification->faults();
    return faults == 0 ? Exit::passed : Exit::falls_short;
}

} // namespace assay
