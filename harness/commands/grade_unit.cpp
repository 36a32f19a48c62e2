#include "catalogue/files.hpp"
#include "commands/grade.hpp"
#include "commands/record_frame.hpp"
#include "commands/run_check.hpp"
#include "report/json.hpp"

#include <filesystem>

namespace assay {

Exit grade_unit_command(const GradeUnitArguments& arguments) {
    CheckRequest request;
    request.exercise = arguments.exercise;
    request.source = arguments.source;
    request.compiler = arguments.compiler;
    request.options.seed = arguments.seed;
    request.second_look = false;      // a second build: only where somebody asks for the line
    request.make_precompiled = false; // those that pay were made before
    Record record;
    try {
        record = run_check(request).record;
    } catch (const Stop& stop) {
        if (stop.exit() != Exit::usage) throw;
        record = blank_record(arguments.exercise, request.source.filename().string(), Verdict::SKIP, stop.what());
        record.environment = environment_for(arguments.exercise, request.source, arguments.compiler);
        record.seed = arguments.seed;
    }
    const std::string failed = write_text(arguments.record, to_json(record));
    if (!failed.empty()) throw Stop(Exit::environment, failed);
    return Exit::passed;
}

} // namespace assay
