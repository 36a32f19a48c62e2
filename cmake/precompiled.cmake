# The headers that nearly every file includes, parsed once: a third of the whole build's time (g++ 12). Every file still
# includes what it uses; -DASSAY_PRECOMPILED=OFF builds without, and shows where one does not.
option(ASSAY_PRECOMPILED "Parse common headers once" ON)

set(assay_common_headers <algorithm> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional> <set>
                         <string> <string_view> <utility> <variant> <vector>)

# One without fmt's header, whose meaning hangs on fmt's own definitions, and one with it.
if(ASSAY_PRECOMPILED)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp "// Its headers are what counts.\n")
  foreach(kind plain fmt)
    add_library(precompiled_${kind} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(precompiled_${kind} PRIVATE assay_options assay_sanitised)
    target_compile_options(precompiled_${kind} PRIVATE -fpch-preprocess) # or ccache keeps nothing that uses it
  endforeach()
  target_link_libraries(precompiled_fmt PRIVATE fmt::fmt)
  target_precompile_headers(precompiled_plain PRIVATE ${assay_common_headers})
  target_precompile_headers(precompiled_fmt PRIVATE ${assay_common_headers} <fmt/format.h>)
endif()

# precompile(TARGET KIND): KIND is plain or fmt. A target whose files have other flags cannot use it.
function(precompile target kind)
  if(ASSAY_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM precompiled_${kind})
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
