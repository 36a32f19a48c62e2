#include "commands/check.hpp"

#include "catalogue/state.hpp"
#include "commands/find_attempt.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/run_check.hpp"
#include "commands/speed.hpp"
#include "report/json.hpp"
#include "report/terminal.hpp"

#include <unistd.h>

namespace assay {

Exit check_command(const CheckArguments& arguments) {
    require_isolation(arguments.isolation);
    std::string note;
    const State state = read_state(state_file(), note);
    print_note(note);
    const FoundAttempt found = find_attempt(arguments.attempt, arguments.exercise, here(), state);
    const Style style = style_for(arguments.color, STDOUT_FILENO);

    CheckRequest request;
    request.exercise = found.exercise;
    request.source = found.source;
    request.options.seed = arguments.seed;
    request.options.level = arguments.level;
    request.options.case_spec = arguments.case_spec;
    request.compiler = arguments.compiler;
    request.device = arguments.device;
    request.coloured_diagnostics = arguments.format == Format::terminal && style.colour;
    request.solution_revealed = state.of(found.exercise).solution_revealed;
    Checked checked = run_check(request);
    if (arguments.speed) {
        SpeedRequest timed;
        timed.source = found.source;
        timed.compiler = arguments.compiler;
        enter_speed(timed, checked.record);
    }

    if (arguments.format == Format::json) {
        print(to_json(checked.record));
    } else {
        TerminalOptions options;
        options.style = style;
        options.target = found.target;
        options.compiler_output = checked.diagnostics;
        print(to_terminal(checked.record, options));
    }
    print_note(change_state(state_file(), [&](State& changed) { remember(changed, checked.record); }));
    return exit_of(checked.record);
}

} // namespace assay
