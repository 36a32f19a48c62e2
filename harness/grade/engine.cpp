#include "grade/engine.hpp"

#include "catalogue/files.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

namespace assay {

std::string write_blank(const EngineOptions& options, const Unit& unit, Verdict verdict, const std::string& reason) {
    const Record record = options.blank(unit, verdict, reason);
    const std::string failed = write_text(options.out / unit.record_path(), to_json(record));
    return failed.empty() ? "" : fmt::format("{}/{}: {}", printable(unit.candidate), unit.exercise, failed);
}

std::string changed_meanwhile(const Unit& unit) {
    return fmt::format("{}/{} was changed while it was graded: grade again with --resume", printable(unit.candidate),
                       unit.exercise);
}

} // namespace assay
