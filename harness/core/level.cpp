#include "core/level.hpp"

namespace assay {

Level make_level(std::string id, std::string title, std::vector<std::string> functions, std::vector<Case> cases) {
    Level level;
    level.id = std::move(id);
    level.title = std::move(title);
    level.functions = std::move(functions);
    level.cases = std::move(cases);
    return level;
}

} // namespace assay
