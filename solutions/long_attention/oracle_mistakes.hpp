// The table of mistakes, and which of them are made on a route.
#ifndef ASSAY_LONG_ATTENTION_ORACLE_MISTAKES_HPP
#define ASSAY_LONG_ATTENTION_ORACLE_MISTAKES_HPP

#include "core/slips.hpp"

#include <string>
#include <vector>

namespace assay::long_attention_judge {

struct Form {
    const char* level;
    const char* route; // the function in which it is made
    int variant;       // how; a comment beside the forms says what the numbers mean
};

struct Entry {
    const char* id;
    const char* sentence;
    std::vector<Form> forms;
    std::vector<std::string> twins;
};

const std::vector<Entry>& entries();

/// Of the mistakes that are on, those made in this function, each with its variant as form.
Slips made_in(const std::string& route, const Slips& on);
/// Mistakes that are on, wherever they are made.
int how_many(const Slips& on);

} // namespace assay::long_attention_judge

#endif
