#include "commands/bank.hpp"

#include "attempt/source_scan.hpp"
#include "catalogue/files.hpp"
#include "commands/run_check.hpp"
#include "python/build.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace fs = std::filesystem;

namespace assay {

namespace {

std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        for (const char* extension : {".cpp", ".py", ".cu"})
            if (at->path().extension() == extension) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (at->is_directory(failed)) folders.push_back(at->path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

const Mistake* find_mistake(const Exercise& exercise, std::string_view id) {
    for (const Mistake& mistake : exercise.mistakes)
        if (mistake.id == id) return &mistake;
    return nullptr;
}

/// What follows `word` in a comment that is a line of the file; "" where there is no such line.
std::string marked_line(const fs::path& source, std::string_view word) {
    bool ok = false;
    const std::string mark = (is_python(source) ? "# " : "// ") + std::string(word);
    for (const std::string& line : lines_of(read_text(source, ok, 1 << 20)))
        if (line.substr(0, mark.size()) == mark)
            return line.substr(std::min(line.find_first_not_of(' ', mark.size()), line.size()));
    return "";
}

/// The first word of it.
std::string marked(const fs::path& source, std::string_view word) {
    const std::string line = marked_line(source, word);
    return line.substr(0, line.find_first_of(" .,"));
}

bool has_level(const Exercise& exercise, std::string_view id) {
    return std::any_of(exercise.levels.begin(), exercise.levels.end(),
                       [&](const Level& level) { return level.id == id; });
}

BankAttempt rejected(const Exercise& exercise, const fs::path& source, Verdict verdict,
                     std::vector<std::string>& faults) {
    BankAttempt attempt;
    attempt.source = source;
    attempt.name = fmt::format("rejected/{}/{}", code(verdict), source.filename().string());
    attempt.verdict = verdict;
    const std::string stem = source.stem().string();
    if (const Mistake* mistake = find_mistake(exercise, stem.substr(0, stem.find("--"))); mistake != nullptr) {
        attempt.levels = mistake->levels;
        if (verdict == Verdict::WA) attempt.mistake = mistake->id;
    }
    attempt.told = marked_line(source, "Told:");
    attempt.only = marked(source, "Level:");
    for (const std::string& level : {marked(source, "Expect:"), attempt.only}) {
        if (level.empty()) continue;
        if (!has_level(exercise, level))
            faults.push_back(
                fmt::format("{}: it names the level '{}', which {} has not", attempt.name, level, exercise.id));
        attempt.levels = {level};
    }
    // A file that does not compile reaches no level.
    if (attempt.levels.empty() && verdict != Verdict::CE)
        faults.push_back(
            fmt::format("{}: its name is no mistake of the oracle's, so it needs a comment line 'Expect: <level id>'",
                        attempt.name));
    return attempt;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

bool is_named(const Exercise& exercise, const std::string& mistake, const std::vector<std::string>& named) {
    const auto has = [&](const std::string& id) { return std::find(named.begin(), named.end(), id) != named.end(); };
    if (has(mistake)) return true;
    const Mistake* own = find_mistake(exercise, mistake);
    return own != nullptr && std::any_of(own->twins.begin(), own->twins.end(), has);
}

std::string fault_of(const Exercise& exercise, const BankAttempt& wanted, const BankResult& got) {
    const bool as_wanted = wanted.verdict == Verdict::SKIP ? got.verdict != Verdict::AC : got.verdict == wanted.verdict;
    if (!as_wanted)
        return fmt::format("{} got {}{}, should get {}", wanted.name, code(got.verdict),
                           got.level.empty() ? "" : " at " + got.level,
                           wanted.verdict == Verdict::SKIP ? "anything but AC" : std::string(code(wanted.verdict)));
    if (!wanted.levels.empty() &&
        std::find(wanted.levels.begin(), wanted.levels.end(), got.level) == wanted.levels.end())
        return fmt::format("{} first fails at {}, should fail at {}", wanted.name,
                           got.level.empty() ? "no level" : got.level, joined(wanted.levels));
    if (!wanted.mistake.empty() && !is_named(exercise, wanted.mistake, got.named))
        return fmt::format("{} is not named: it was told {}", wanted.name,
                           got.named.empty() ? "nothing" : joined(got.named));
    if (got.reason.find(wanted.told) == std::string::npos)
        return fmt::format("{} is told '{}', should be told '{}'", wanted.name, got.reason, wanted.told);
    return "";
}

} // namespace

std::vector<BankAttempt> bank_of(const Exercise& exercise, const fs::path& checkout, std::vector<std::string>& faults) {
    const fs::path question = checkout / "exercises" / exercise.id;
    const fs::path answer = checkout / "solutions" / exercise.id;
    std::vector<BankAttempt> bank;
    std::error_code failed;
    for (const char* extension : {".cpp", ".py", ".cu"}) {
        const std::string solution = std::string("solution") + extension, starter = std::string("starter") + extension;
        const bool due = std::string_view(extension) == ".cpp"; // others are there where somebody wrote them
        if (due || fs::exists(answer / solution, failed))
            bank.push_back({answer / solution, solution, Verdict::AC, {}, ""});
        if ((due || fs::exists(question / starter, failed)) && !exercise.levels.empty())
            bank.push_back({question / starter, starter, Verdict::SKIP, {exercise.levels.front().id}, ""});
    }
    for (const fs::path& source : sources_in(answer / "accepted"))
        bank.push_back({source, "accepted/" + source.filename().string(), Verdict::AC, {}, ""});
    if (const std::size_t accepted = sources_in(answer / "accepted").size(); accepted < 3)
        faults.push_back(fmt::format("solutions/{}/accepted holds {}, should hold at least 3 right answers",
                                     exercise.id, counted(static_cast<long long>(accepted), "attempt")));
    for (const fs::path& folder : folders_in(answer / "rejected")) {
        const auto verdict = verdict_from(folder.filename().string());
        if (!verdict || *verdict == Verdict::AC || *verdict == Verdict::SKIP || *verdict == Verdict::JE) {
            faults.push_back(fmt::format("solutions/{}/rejected/{} is not named after a verdict such as WA",
                                         exercise.id, folder.filename().string()));
            continue;
        }
        for (const fs::path& source : sources_in(folder)) bank.push_back(rejected(exercise, source, *verdict, faults));
    }
    return bank;
}

std::size_t leave_out_python(std::vector<BankAttempt>& bank, std::string& why) {
    const auto in_python = [](const BankAttempt& attempt) { return is_python(attempt.source); };
    const auto count = static_cast<std::size_t>(std::count_if(bank.begin(), bank.end(), in_python));
    if (count == 0) return 0;
    const Outcome<Interpreter> found = find_interpreter();
    if (found) return 0;
    why = found.failure().reason;
    bank.erase(std::remove_if(bank.begin(), bank.end(), in_python), bank.end());
    return count;
}

int urgency_of(const BankAttempt& attempt) {
    if (is_python(attempt.source)) return 2;
    bool ok = false;
    const std::string text = read_text(attempt.source, ok, 1 << 20);
    const std::vector<IncludeDirective> includes = find_includes(text);
    const bool heavy = std::any_of(includes.begin(), includes.end(), [](const IncludeDirective& include) {
        return !include.quoted && !is_standard_header(include.name) && include.name.substr(0, 6) != "assay/";
    });
    const bool to_the_limit = attempt.verdict == Verdict::TLE || attempt.verdict == Verdict::MLE;
    return (heavy ? 2 : 0) + (to_the_limit ? 1 : 0);
}

std::vector<std::string> more_flags_of(const BankAttempt& attempt) {
    if (attempt.verdict == Verdict::AC || attempt.verdict == Verdict::SKIP) return {};
    return {"-O1"};
}

BankResult run_attempt(const Exercise& exercise, const BankAttempt& wanted, const KnownCases& known,
                       const std::string& compiler) {
    BankResult result;
    try {
        CheckRequest request;
        request.exercise = exercise.id;
        request.source = wanted.source;
        request.compiler = compiler;
        request.more_flags = more_flags_of(wanted);
        request.options.level = wanted.only;
        request.options.stop_at_first_failure = wanted.verdict != Verdict::AC;
        request.options.seed = known.seed();
        request.options.known = &known;
        // Of what a candidate is told beside the verdict, the bank holds only the diagnosis against anything.
        request.options.smallest = false;
        request.second_look = request.growth = false;
        request.make_precompiled = false; // those that pay were made before
        // These attempts are our own, and a thousand of them are started: name spaces would cost a quarter of the
        // whole. What isolation does to attempts is shown by the hostile ones, at every level.
        static const Layers ours = without(layers_here(), {Layer::bubblewrap});
        request.layers = &ours;
        const Checked checked = run_check(request);
        const auto first = first_failure(checked.record);
        // A bonus never decides the record's verdict, but its rejected attempts must be rejected all the same.
        result.verdict = first ? first->level->verdict : checked.record.verdict;
        if (first) result.level = first->level->id;
        if (first && first->failing != nullptr) {
            result.reason = first->failing->reason;
            for (const Finding& finding : first->failing->findings)
                result.reason +=
                    fmt::format("{}{} {}", result.reason.empty() ? "" : ", ", name_of(finding.kind), finding.tensor);
        } else if (first)
            result.reason = first->level->reason;
        if (result.reason.empty()) result.reason = checked.record.reason;
        for (const Diagnosis& diagnosis : checked.record.diagnoses) result.named.push_back(diagnosis.mistake);
        result.fault = fault_of(exercise, wanted, result);
        if (!result.fault.empty() && !checked.record.reason.empty()) result.fault += ": " + checked.record.reason;
    } catch (const Stop& stop) {
        result.verdict = Verdict::JE;
        result.fault = wanted.name + ": " + stop.what();
    } catch (const std::exception& error) { // one attempt's trouble must not end the others' run
        result.verdict = Verdict::JE;
        result.fault = wanted.name + ": " + error.what();
    }
    return result;
}

} // namespace assay
