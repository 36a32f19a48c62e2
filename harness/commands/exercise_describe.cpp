#include "commands/exercise_describe.hpp"

#include "commands/find_attempt.hpp"
#include "commands/print.hpp"
#include "python/contract_json.hpp"

namespace assay {

Exit exercise_describe_command(const ExerciseDescribeArguments& arguments) {
    require_exercise(arguments.exercise);
    print(to_json(contract_of(arguments.exercise)));
    return Exit::passed;
}

} // namespace assay
