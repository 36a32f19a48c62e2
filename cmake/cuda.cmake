# CUDA on the CPU: the runtime that rewritten attempts are linked with, and the rewriter. Neither needs CUDA.

# The runtime is plain: an attempt may be built by another compiler, and brings its own sanitiser.
function(add_simt)
  set(folder ${PROJECT_SOURCE_DIR}/cuda/host)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(rewriter ${folder}/rewrite.cpp ${folder}/tokens.cpp ${folder}/unsupported.cpp)
  list(REMOVE_ITEM sources ${folder}/main.cpp ${rewriter})
  add_library(assay_simt STATIC ${sources})
  target_include_directories(assay_simt PUBLIC ${PROJECT_SOURCE_DIR}/cuda)
  target_link_libraries(assay_simt PUBLIC assay_options boost_context ${CMAKE_DL_LIBS})
  set_target_properties(assay_simt PROPERTIES POSITION_INDEPENDENT_CODE ON)

  add_library(assay_cuda_rewrite STATIC ${rewriter})
  target_include_directories(assay_cuda_rewrite PUBLIC ${PROJECT_SOURCE_DIR}/cuda)
  target_link_libraries(assay_cuda_rewrite PUBLIC assay_options assay_sanitised)
  add_executable(cuda-rewrite ${folder}/main.cpp)
  target_link_libraries(cuda-rewrite PRIVATE assay_cuda_rewrite)
endfunction()

# add_cuda_on_host(NAME FILES...): an object library of .cu files, for the emulation. They are CUDA's own style: no
# warnings on conversions.
function(add_cuda_on_host name)
  set(folder ${PROJECT_BINARY_DIR}/cuda/${name})
  file(MAKE_DIRECTORY ${folder})
  set(rewritten)
  set(beside)
  foreach(source ${ARGN})
    get_filename_component(file ${source} NAME)
    get_filename_component(folder_of_source ${source} DIRECTORY)
    list(APPEND beside ${folder_of_source})
    add_custom_command(OUTPUT ${folder}/${file}.cpp COMMAND cuda-rewrite ${source} ${file} ${folder}/${file}.cpp
                       DEPENDS cuda-rewrite ${source})
    list(APPEND rewritten ${folder}/${file}.cpp)
  endforeach()
  list(REMOVE_DUPLICATES beside)
  add_library(${name} OBJECT ${rewritten})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cuda/host/include ${PROJECT_SOURCE_DIR}/harness/contract
                                             ${beside})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-sign-compare)
  target_link_libraries(${name} PRIVATE assay_sanitised)
endfunction()
