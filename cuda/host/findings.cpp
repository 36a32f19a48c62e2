// Findings, and how they name places.
#include "findings.hpp"

#include <cstring>

namespace assay::simt {

void Findings::add(Finding finding) {
    for (const Finding& known : all_)
        if (known.kind == finding.kind && known.line == finding.line && known.file == finding.file) return;
    if (all_.size() < 32) all_.push_back(std::move(finding));
}

std::string place(Where where) { return std::string(where.file) + ":" + std::to_string(where.line); }

std::string thread_name(uint3 index) {
    return "thread (" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

bool same_place(Where a, Where b) { return a.line == b.line && std::strcmp(a.file, b.file) == 0; }

} // namespace assay::simt
