#include "core/record.hpp"

namespace assay {

namespace {
bool failed(Verdict verdict) { return verdict != Verdict::AC && verdict != Verdict::SKIP; }
} // namespace

std::optional<FirstFailure> first_failure(const Record& record) {
    for (const bool must : {true, false}) // a bonus is explained only where no must level fails
        for (const LevelRecord& level : record.levels) {
            if (level.must != must || !failed(level.verdict)) continue;
            for (const CaseRecord& one : level.cases)
                if (failed(one.verdict)) return FirstFailure{&level, &one};
            return FirstFailure{&level, nullptr};
        }
    return std::nullopt;
}

} // namespace assay
