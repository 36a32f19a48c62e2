// libFuzzer's entry: the target is named by the environment, since one program holds them all.
#include "fuzz/targets.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const FuzzTarget* const chosen = [] {
        const char* name = std::getenv("ASSAY_FUZZ");
        for (const FuzzTarget& target : fuzz_targets())
            if (name != nullptr && target.name == name) return &target;
        std::fputs("set ASSAY_FUZZ to the name of a target\n", stderr);
        std::exit(2);
    }();
    chosen->run(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
