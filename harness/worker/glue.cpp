// Compiled once an exercise, with the exercise's folder on the include path.
#include "contract.hpp"

#include "worker/glue.hpp"
#include "worker/gradient.hpp"
#include "worker/ranks.hpp"

namespace assay {

std::span<const GlueFunction> glue_functions() {
#define ASSAY_GLUE_ROW(scope, name, names) {#name, &invoke<decltype(::scope::name)>::call, false},
#define ASSAY_GLUE_METHOD(scope, type, method, names)                                                                  \
    {#type "." #method, &invoke_method<&::scope::type::method>::call, true},
#define ASSAY_GLUE_DESTROY(scope, type) {#type ".destroy", &destroy_object, true},
    static constexpr GlueFunction table[] = {ASSAY_CONTRACT(ASSAY_GLUE_ROW) ASSAY_METHODS(ASSAY_GLUE_METHOD)
                                                 ASSAY_CLASSES(ASSAY_GLUE_DESTROY)};
#undef ASSAY_GLUE_ROW
    return table;
}

} // namespace assay
