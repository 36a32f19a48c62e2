#include "commands/grade_speed.hpp"

#include "catalogue/files.hpp"
#include "commands/speed.hpp"
#include "commands/stop.hpp"
#include "core/registry.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

namespace assay {

std::vector<std::string> time_accepted(const Plan& plan, const std::filesystem::path& out,
                                       const std::function<bool()>& stopped,
                                       const std::function<void(std::size_t done, std::size_t all)>& begun) {
    std::vector<const Unit*> accepted;
    for (const Unit& unit : plan.units) {
        const Exercise* exercise = find_exercise(unit.exercise);
        if (exercise == nullptr || exercise->speed.empty()) continue;
        const Outcome<Record> record = result_of(out, unit);
        if (record && record->verdict == Verdict::AC && record->speed.empty()) accepted.push_back(&unit);
    }
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < accepted.size() && !stopped(); ++i) {
        const Unit& unit = *accepted[i];
        begun(i, accepted.size());
        Outcome<Record> record = result_of(out, unit);
        if (!record) continue; // gone meanwhile: whoever took it away grades anew
        SpeedRequest request;
        request.source = unit.source;
        request.compiler = plan.compiler;
        std::string failed;
        try {
            enter_speed(request, *record);
            failed = write_text(out / unit.record_path(), to_json(*record));
        } catch (const Stop& stop) {
            failed = stop.what();
        }
        if (!failed.empty())
            failures.push_back(
                fmt::format("{}'s {} was not timed: {}", printable(unit.candidate), unit.exercise, failed));
    }
    return failures;
}

} // namespace assay
