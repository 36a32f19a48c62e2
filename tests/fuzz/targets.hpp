// What is fuzzed: every parser that reads what a stranger wrote. A target takes any bytes, must neither crash nor hang,
// and aborts where a promise of the parser's does not hold.
#ifndef ASSAY_TESTS_FUZZ_TARGETS_HPP
#define ASSAY_TESTS_FUZZ_TARGETS_HPP

#include <span>
#include <string_view>

struct FuzzTarget {
    std::string_view name; // also the name of its corpus: corpus/<name>.txt
    void (*run)(std::string_view bytes);
};

/// In alphabetical order.
std::span<const FuzzTarget> fuzz_targets();

#endif
