#include "catalogue/state.hpp"

#include "catalogue/files.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

namespace {

using Json = nlohmann::ordered_json;

std::optional<Verdict> verdict_at(const Json& j, const char* key) {
    return j.contains(key) ? verdict_from(j.at(key).get<std::string>()) : std::nullopt;
}

Progress progress_from(const Json& j) {
    Progress p;
    p.best = verdict_at(j, "best");
    p.last = verdict_at(j, "last");
    p.score = j.value("score", 0);
    p.max_score = j.value("max_score", 0);
    p.bonus = j.value("bonus", 0);
    p.max_bonus = j.value("max_bonus", 0);
    p.failing_level = j.value("failing_level", "");
    p.workspace = j.value("workspace", "");
    p.solution_revealed = j.value("solution_revealed", false);
    if (j.contains("hints"))
        for (const auto& [level, count] : j.at("hints").items()) p.hints[level] = count.get<int>();
    return p;
}

Json json_of(const Progress& p) {
    Json j;
    if (p.best) j["best"] = code(*p.best);
    if (p.last) j["last"] = code(*p.last);
    j["score"] = p.score;
    j["max_score"] = p.max_score;
    j["bonus"] = p.bonus;
    j["max_bonus"] = p.max_bonus;
    j["failing_level"] = p.failing_level;
    j["hints"] = Json::object();
    for (const auto& [level, count] : p.hints) j["hints"][level] = count;
    j["workspace"] = p.workspace;
    j["solution_revealed"] = p.solution_revealed;
    return j;
}

State state_from(const std::string& text) {
    const Json j = Json::parse(text);
    State state;
    state.latest = j.value("latest", "");
    for (const auto& [id, progress] : j.at("exercises").items()) state.exercises[id] = progress_from(progress);
    return state;
}

std::string text_of(const State& state) {
    Json j;
    j["version"] = 1;
    j["latest"] = state.latest;
    j["exercises"] = Json::object();
    for (const auto& [id, progress] : state.exercises) j["exercises"][id] = json_of(progress);
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// An exclusive lock on a file beside the state, held while this lives; without one where it cannot be had.
class Lock {
  public:
    explicit Lock(const fs::path& file) : fd_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (fd_ >= 0) flock(fd_, LOCK_EX);
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() {
        if (fd_ >= 0) close(fd_);
    }

  private:
    int fd_;
};

bool better(const Record& record, const Progress& progress) {
    if (!progress.best) return true;
    const bool passed = record.verdict == Verdict::AC;
    const bool passed_before = *progress.best == Verdict::AC;
    if (passed != passed_before) return passed;
    return record.score + record.bonus > progress.score + progress.bonus;
}

} // namespace

const Progress& State::of(const std::string& exercise) const {
    static const Progress nothing;
    const auto found = exercises.find(exercise);
    return found == exercises.end() ? nothing : found->second;
}

State read_state(const fs::path& file, std::string& note) {
    std::error_code failed;
    if (!fs::exists(file, failed)) return {};
    bool ok = false;
    const std::string text = read_text(file, ok);
    if (!ok) {
        note = "your progress in " + file.string() + " cannot be read; going on without it";
        return {};
    }
    try {
        return state_from(text);
    } catch (const Json::exception&) {
        const fs::path aside = file.string() + ".damaged";
        fs::rename(file, aside, failed);
        note = failed ? "your progress in " + file.string() + " is damaged; going on without it"
                      : "your progress file was damaged and now lies in " + aside.string() + "; a new one is begun";
        return {};
    }
}

std::string change_state(const fs::path& file, const std::function<void(State&)>& change) {
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    const Lock lock(file.string() + ".lock");
    std::string note;
    State state = read_state(file, note);
    change(state);
    const std::string unwritten = write_text(file, text_of(state));
    if (!unwritten.empty()) note = "your progress is not kept: " + unwritten;
    return note;
}

void remember(State& state, const Record& record) {
    if (record.hunt) return; // mending is not writing
    Progress& progress = state.exercises[record.exercise];
    state.latest = record.exercise;
    const auto first = first_failure(record);
    if (first && first->level->must)
        progress.failing_level = first->level->id;
    else if (!record.partial && record.verdict == Verdict::AC)
        progress.failing_level = first ? first->level->id : ""; // a bonus may have hints too
    if (record.partial || record.verdict == Verdict::JE) return;
    progress.last = record.verdict;
    if (!better(record, progress)) return;
    progress.best = record.verdict;
    progress.score = record.score;
    progress.max_score = record.max_score;
    progress.bonus = record.bonus;
    progress.max_bonus = record.max_bonus;
}

fs::path state_file() { return state_folder() / "progress.json"; }

} // namespace assay
