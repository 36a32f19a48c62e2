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

# add_cuda_contract(ID FOLDER LIBEXEC): of an exercise that has a contract.cuh, what tells the judge of it, and the object
# that is linked into every attempt in CUDA: the entry, the runs that an emulated call takes, and the runtime, in one
# relocatable file, so that building an attempt needs nothing but a C++ compiler.
function(add_cuda_contract id folder libexec)
  set(headers ${PROJECT_SOURCE_DIR}/cuda/host/include)
  add_library(contract_cuda_${id} OBJECT harness/worker/describe_cuda.cpp)
  target_compile_definitions(contract_cuda_${id} PRIVATE ASSAY_EXERCISE_ID="${id}")
  target_include_directories(contract_cuda_${id} PRIVATE ${folder})
  target_include_directories(contract_cuda_${id} SYSTEM PRIVATE ${headers})
  target_link_libraries(contract_cuda_${id} PRIVATE assay_options assay_sanitised)
  set_property(GLOBAL APPEND PROPERTY ASSAY_EXERCISE_OBJECTS contract_cuda_${id})

  if(NOT TARGET device_runs)
    add_library(device_runs OBJECT harness/worker/device_runs.cpp)
    target_include_directories(device_runs PRIVATE ${PROJECT_SOURCE_DIR}/cuda)
    target_include_directories(device_runs SYSTEM PRIVATE ${headers})
    target_link_libraries(device_runs PRIVATE assay_options)
    set_target_properties(device_runs PROPERTIES POSITION_INDEPENDENT_CODE ON)
    install(DIRECTORY ${headers}/ DESTINATION share/assay/cuda)
    # What nvcc compiles with an attempt that runs on a GPU: nvcc need not be here when Assay is built.
    install(FILES harness/worker/entry_cuda.cpp harness/worker/device_runs_gpu.cpp harness/worker/device_clock_gpu.cpp
                  harness/worker/device_call.hpp harness/worker/device_clock.hpp harness/worker/device_errors.hpp
                  harness/worker/device_runs.hpp harness/worker/device_tensor.hpp harness/worker/device_turns.hpp
            DESTINATION share/assay/device/worker)
  endif()
  add_library(entry_cuda_${id} OBJECT harness/worker/entry_cuda.cpp)
  target_include_directories(entry_cuda_${id} PRIVATE ${folder})
  target_include_directories(entry_cuda_${id} SYSTEM PRIVATE ${headers})
  target_link_libraries(entry_cuda_${id} PRIVATE assay_options)
  set_target_properties(entry_cuda_${id} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(object ${libexec}/entry-cuda-${id}.o)
  set(switch) # a shared library is named where attempts are linked
  if(BOOST_CONTEXT_LIBRARY MATCHES "\\.a$")
    set(switch ${BOOST_CONTEXT_LIBRARY})
  endif()
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -o ${object} $<TARGET_OBJECTS:entry_cuda_${id}>
            $<TARGET_OBJECTS:device_runs> -Wl,--whole-archive $<TARGET_FILE:assay_simt> -Wl,--no-whole-archive ${switch}
    DEPENDS entry_cuda_${id} device_runs assay_simt $<TARGET_OBJECTS:entry_cuda_${id}> $<TARGET_OBJECTS:device_runs>
            $<TARGET_FILE:assay_simt>
    COMMAND_EXPAND_LISTS)
  add_custom_target(entry-cuda-${id} ALL DEPENDS ${object})
  set_property(GLOBAL APPEND PROPERTY ASSAY_HELPERS entry-cuda-${id})
  install(FILES ${object} DESTINATION libexec/assay)
  install(FILES ${folder}/contract.cuh DESTINATION share/assay/exercises/${id})
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
