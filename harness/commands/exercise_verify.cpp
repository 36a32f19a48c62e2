#include "commands/exercise_verify.hpp"

#include "catalogue/files.hpp"
#include "catalogue/settings.hpp"
#include "commands/bank.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "core/registry.hpp"
#include "judge/verify.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace assay {

namespace {

class Verification {
  public:
    Verification(const Exercise& exercise, const ExerciseVerifyArguments& arguments, const Style& style)
        : exercise_(exercise), arguments_(arguments), style_(style) {}

    /// Gives the number of faults.
    std::size_t run() {
        print(style_.bold(exercise_.id) + "\n");
        oracle();
        bank();
        score();
        for (const std::string& fault : faults_)
            print(wrapped(fault, static_cast<std::size_t>(style_.width), style_.paint(Paint::red, "  fault: "),
                          "         "));
        print(faults_.empty() ? "  " + style_.paint(Paint::green, "sound") + "\n\n"
                              : fmt::format("  {}\n\n", counted(static_cast<long long>(faults_.size()), "fault")));
        return faults_.size();
    }

  private:
    const Exercise& exercise_;
    const ExerciseVerifyArguments& arguments_;
    const Style& style_;
    std::vector<std::string> faults_;
    std::size_t played_ = 0, killed_ = 0, named_ = 0; // by the oracle, a form each
    std::size_t written_ = 0, caught_ = 0;            // rejected attempts, and those that got what they should

    void oracle() {
        const Outcome<Settings> settings = settings_of(exercise_.id);
        if (!settings) faults_.push_back(settings.failure().reason);
        if (settings)
            if (const auto pointed = with_points(exercise_, *settings); !pointed)
                faults_.push_back(pointed.failure().reason);
        const SelfTest test = verify_oracle(exercise_, 0);
        faults_.insert(faults_.end(), test.faults.begin(), test.faults.end());
        played_ = test.mistakes.size();
        for (const MistakeTrial& trial : test.mistakes) {
            killed_ += trial.rejected_at == trial.belongs ? 1u : 0u;
            named_ += trial.named_right ? 1u : 0u;
        }
        print(fmt::format("  {}\n", style_.bold("case                      level            kills  first to kill")));
        for (const CaseWorth& worth : test.cases) {
            const auto kills =
                std::count_if(test.mistakes.begin(), test.mistakes.end(), [&](const MistakeTrial& trial) {
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

    void bank() {
        const std::vector<BankAttempt> attempts = bank_of(exercise_, source_checkout(), faults_);
        std::size_t names = 0;
        for (const BankAttempt& attempt : attempts) names = std::max(names, display_width(attempt.name));
        std::size_t at = 0;
        run_bank(exercise_, attempts, arguments_.compiler, [&](const BankAttempt& attempt, const BankResult& result) {
            ++at;
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
            print(fmt::format("  [{:>{}}/{}] {} {}  {}\n", at, std::to_string(attempts.size()).size(), attempts.size(),
                              mark, pad_right(attempt.name, names), told + style_.dim(named)));
        });
        print("\n");
    }

    void score() {
        const auto share = [](std::size_t part, std::size_t all) {
            return all == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
        };
        print(fmt::format(
            "  mutation score: {} of {} mistakes rejected at their level ({:.1f} %), {} named; {} of {} wrong "
            "attempts got what they should\n",
            killed_, played_, share(killed_, played_), named_, caught_, written_));
    }
};

} // namespace

Exit exercise_verify_command(const ExerciseVerifyArguments& arguments) {
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
    std::size_t faults = 0;
    for (const std::string& id : ids) faults += Verification(*find_exercise(id), arguments, style).run();
    return faults == 0 ? Exit::passed : Exit::falls_short;
}

} // namespace assay
