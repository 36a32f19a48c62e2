#include "commands/show.hpp"

#include "catalogue/embedded.hpp"
#include "catalogue/markdown.hpp"
#include "commands/find_attempt.hpp"
#include "commands/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace assay {

Exit show_command(const ShowArguments& arguments) {
    require_exercise(arguments.exercise);
    const auto statement = embedded(fmt::format("exercises/{}/README.md", arguments.exercise));
    if (!statement)
        throw Stop(Exit::fault, fmt::format("exercises/{0}/README.md is missing: the exercise {0} has no statement",
                                            arguments.exercise));
    print(render_markdown(*statement, style_for(arguments.color, STDOUT_FILENO)));
    return Exit::passed;
}

} // namespace assay
