#include "core/registry.hpp"

#include "core/entered.hpp"

namespace assay {

namespace {
Entered<Exercise>& entered() {
    static Entered<Exercise> exercises;
    return exercises;
}
} // namespace

bool enter_exercise(std::string_view id, ExerciseFactory factory) { return entered().enter(id, factory); }
std::vector<std::string_view> exercise_ids() { return entered().ids(); }
const Exercise* find_exercise(std::string_view id) { return entered().find(id); }

} // namespace assay
