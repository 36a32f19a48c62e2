// Compiled once an exercise, with the exercise's folder on the include path.
#include "contract.hpp"

#include "worker/glue.hpp"
#include "worker/ranks.hpp"

namespace assay {

std::span<const GlueFunction> glue_functions() {
#define ASSAY_GLUE_ROW(scope, name, names) {#name, &invoke<decltype(::scope::name)>::call},
    static constexpr GlueFunction table[] = {ASSAY_CONTRACT(ASSAY_GLUE_ROW)};
#undef ASSAY_GLUE_ROW
    return table;
}

} // namespace assay
