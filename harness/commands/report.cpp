#include "commands/report.hpp"

#include "catalogue/files.hpp"
#include "commands/cohort_files.hpp"
#include "commands/print.hpp"
#include "report/text.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace assay {

Exit report_command(const ReportArguments& arguments) {
    require_known_formats(arguments.formats);
    const fs::path results = here() / arguments.results;
    bool ok = false;
    const std::string text = read_text(results / plan_name, ok, std::size_t{1} << 30);
    if (!ok)
        throw Stop(Exit::usage, fmt::format("{} holds no grading: name the folder that assay grade wrote to with --out",
                                            printable(arguments.results)));
    const Outcome<Plan> plan = plan_from_json(text);
    if (!plan) throw Stop(Exit::usage, plan.failure().reason);
    const GradedCohort cohort = read_cohort(results, *plan);
    const std::string out = arguments.out.empty() ? arguments.results : arguments.out;
    const std::vector<std::string> written = write_cohort_files(here() / out, cohort, arguments.formats);
    print(cohort_summary(cohort, out, written, style_for(arguments.color, STDOUT_FILENO)));
    return cohort.missing > 0 ? Exit::environment : Exit::passed;
}

} // namespace assay
