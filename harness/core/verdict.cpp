#include "core/verdict.hpp"

#include <array>

namespace assay {

namespace {
struct Row {
    Verdict verdict;
    std::string_view code;
    std::string_view meaning;
};
constexpr std::array<Row, 10> rows{{
    {Verdict::AC, "AC", "accepted"},
    {Verdict::WA, "WA", "wrong answer"},
    {Verdict::TLE, "TLE", "time limit exceeded"},
    {Verdict::MLE, "MLE", "memory limit exceeded"},
    {Verdict::OLE, "OLE", "output limit exceeded"},
    {Verdict::RTE, "RTE", "run-time error"},
    {Verdict::CE, "CE", "compile error"},
    {Verdict::SV, "SV", "sandbox violation"},
    {Verdict::JE, "JE", "judge error"},
    {Verdict::SKIP, "SKIP", "skipped"},
}};
} // namespace

std::string_view code(Verdict verdict) { return rows[static_cast<std::size_t>(verdict)].code; }

std::string_view meaning(Verdict verdict) { return rows[static_cast<std::size_t>(verdict)].meaning; }

std::optional<Verdict> verdict_from(std::string_view code) {
    for (const Row& row : rows)
        if (row.code == code) return row.verdict;
    return std::nullopt;
}

} // namespace assay
