# One function a kind of target.

# Warnings are errors in every file of ours.
add_library(assay_options INTERFACE)
target_compile_features(assay_options INTERFACE cxx_std_20)
target_include_directories(assay_options INTERFACE ${PROJECT_SOURCE_DIR}/harness ${PROJECT_SOURCE_DIR}/harness/contract)
target_compile_options(assay_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on std::string's + (GCC bugs 105329, 105651): whether one is raised hangs on how long a literal is, as
  # that of the checkout's own path. Later compilers and clang keep these warnings.
  target_compile_options(assay_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++ 12's own stable_sort; and g++'s -Wconversion, which clang's goes beyond.
  target_compile_options(assay_options INTERFACE -Wno-deprecated-declarations -Wno-sign-conversion)
endif()
if(ASSAY_WERROR)
  target_compile_options(assay_options INTERFACE -Werror)
endif()

# Sanitisers go on everything but what an attempt is loaded by: a worker is run under its own limits, and rebuilt
# attempts bring their own sanitiser.
add_library(assay_sanitised INTERFACE)
if(ASSAY_SANITIZE)
  target_compile_options(assay_sanitised INTERFACE -fsanitize=${ASSAY_SANITIZE} -fno-sanitize-recover=undefined
                                                   -fno-omit-frame-pointer)
  target_link_options(assay_sanitised INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif()

# add_room(NAME DEPENDS ...): the library of one room of the harness.
function(add_room name)
  cmake_parse_arguments(room "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(assay_${name} STATIC ${sources})
  target_link_libraries(assay_${name} PUBLIC assay_options assay_sanitised ${room_DEPENDS})
  if("fmt::fmt" IN_LIST room_DEPENDS)
    precompile(assay_${name} fmt)
  else()
    precompile(assay_${name} plain)
  endif()
endfunction()

# assay-confine, the parent of every program that holds an attempt's code. Static where that can be linked: it starts
# for each, under an environment and a view of the file system that are not ours.
function(add_confine)
  add_executable(assay-confine harness/sandbox/main.cpp harness/sandbox/become.cpp harness/sandbox/landlock.cpp
                               harness/sandbox/own_filter.cpp harness/sandbox/policy.cpp)
  target_link_libraries(assay-confine PRIVATE assay_options $<$<BOOL:${ASSAY_STATIC_LINK}>:-static>)
  set_target_properties(assay-confine PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/libexec/assay)
  set_property(GLOBAL APPEND PROPERTY ASSAY_HELPERS assay-confine)
  install(TARGETS assay-confine DESTINATION libexec/assay)
endfunction()

# The flags of roofline's kernels, one file an instruction set (why they do not mix: kernels_eigen.hpp). A product and a
# sum are one instruction where there is one, which ISO mode would forbid. GCC 12 takes the undefined lanes of its own
# AVX-512 header for uninitialised variables.
function(add_roofline_kernels)
  if(NOT ASSAY_EIGEN_DIR)
    return()
  endif()
  target_include_directories(assay_roofline SYSTEM PRIVATE ${ASSAY_EIGEN_DIR})
  target_compile_definitions(assay_roofline PRIVATE ASSAY_HAVE_EIGEN)
  set(plain -O3 -ffp-contract=fast $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  set(folder ${PROJECT_SOURCE_DIR}/harness/roofline)
  file(GLOB kernels ${folder}/kernels_*.cpp)
  set_source_files_properties(${kernels} PROPERTIES SKIP_PRECOMPILE_HEADERS ON) # theirs are other flags
  set_source_files_properties(${folder}/kernels_baseline.cpp PROPERTIES COMPILE_OPTIONS "${plain}")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set_source_files_properties(${folder}/kernels_avx2.cpp PROPERTIES COMPILE_OPTIONS "${plain};-mavx2;-mfma")
    set_source_files_properties(${folder}/kernels_avx512.cpp PROPERTIES COMPILE_OPTIONS
      "${plain};-mavx512f;-mavx512dq;-mavx512bw;-mavx512vl;-mfma")
  endif()
endfunction()

# add_hunt_model(ID): where an exercise has a hunt, the program that is any choice of its fragments.
function(add_hunt_model id)
  set(folder ${PROJECT_SOURCE_DIR}/solutions/${id}/hunt)
  if(NOT EXISTS ${folder}/template.cpp)
    return()
  endif()
  file(GLOB_RECURSE fragments CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(model ${PROJECT_BINARY_DIR}/hunt/${id}.cpp)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/hunt)
  add_custom_command(OUTPUT ${model} COMMAND hunt-model ${id} ${folder} ${model} DEPENDS hunt-model ${fragments})
  target_sources(exercise_${id} PRIVATE ${model})
endfunction()

# add_exercises(): one object library an exercise for the judge, one worker program, one entry object.
# The exercises are the folders of exercises/ that hold a contract: they are named nowhere else.
function(add_exercises)
  file(GLOB contracts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/exercises/*/contract.hpp)
  set(libexec ${PROJECT_BINARY_DIR}/libexec/assay)
  # What is the same in every worker. Never sanitised, as the workers are not.
  add_library(worker_common OBJECT
    harness/worker/main.cpp harness/worker/signals.cpp harness/worker/gradient.cpp harness/worker/ranks.cpp
    harness/core/tape.cpp harness/core/dtype.cpp harness/wire/argument.cpp harness/wire/channel.cpp
    harness/wire/message.cpp harness/wire/signature.cpp)
  target_link_libraries(worker_common PRIVATE assay_options msgpackc-cxx)
  foreach(contract ${contracts})
    get_filename_component(folder ${contract} DIRECTORY)
    get_filename_component(id ${folder} NAME)

    file(GLOB judged CONFIGURE_DEPENDS ${folder}/levels*.cpp ${folder}/cases*.cpp ${folder}/benches*.cpp
                                       ${PROJECT_SOURCE_DIR}/solutions/${id}/oracle*.cpp
                                       ${PROJECT_SOURCE_DIR}/solutions/${id}/hunt*.cpp)
    add_library(exercise_${id} OBJECT ${judged})
    add_hunt_model(${id})
    target_link_libraries(exercise_${id} PRIVATE assay_options assay_sanitised)
    precompile(exercise_${id} plain)
    target_include_directories(exercise_${id} PRIVATE ${folder} ${PROJECT_SOURCE_DIR}/solutions/${id})
    set_property(GLOBAL APPEND PROPERTY ASSAY_EXERCISE_OBJECTS exercise_${id})

    # The contract as a document, for languages that cannot read a C++ header.
    add_library(contract_${id} OBJECT harness/worker/describe.cpp)
    target_compile_definitions(contract_${id} PRIVATE ASSAY_EXERCISE_ID="${id}")
    target_include_directories(contract_${id} PRIVATE ${folder})
    target_link_libraries(contract_${id} PRIVATE assay_options assay_sanitised)
    set_property(GLOBAL APPEND PROPERTY ASSAY_EXERCISE_OBJECTS contract_${id})

    add_executable(worker-${id} harness/worker/glue.cpp)
    target_include_directories(worker-${id} PRIVATE ${folder})
    target_link_libraries(worker-${id} PRIVATE assay_options worker_common ${CMAKE_DL_LIBS})
    set_target_properties(worker-${id} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${libexec})

    # Attempts may be built with another compiler or without sanitisers: the entry object is plain.
    add_library(entry_${id} OBJECT harness/worker/entry.cpp)
    target_include_directories(entry_${id} PRIVATE ${folder})
    target_link_libraries(entry_${id} PRIVATE assay_options)
    set_target_properties(entry_${id} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    add_custom_command(
      OUTPUT ${libexec}/entry-${id}.o
      COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:entry_${id}> ${libexec}/entry-${id}.o
      DEPENDS entry_${id} $<TARGET_OBJECTS:entry_${id}>)
    add_custom_target(entry-${id} ALL DEPENDS ${libexec}/entry-${id}.o)
    set_property(GLOBAL APPEND PROPERTY ASSAY_HELPERS worker-${id} entry-${id})

    install(TARGETS worker-${id} DESTINATION libexec/assay)
    install(FILES ${libexec}/entry-${id}.o DESTINATION libexec/assay)
    install(FILES ${contract} DESTINATION share/assay/exercises/${id})
    if(EXISTS ${folder}/contract.cuh)
      add_cuda_contract(${id} ${folder} ${libexec})
    endif()
  endforeach()
endfunction()

# The texts that an installed program carries in itself, and each exercise's hash.
function(add_embedded_texts target)
  file(GLOB texts CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/exercises/*/README.md ${PROJECT_SOURCE_DIR}/exercises/*/contract.hpp
       ${PROJECT_SOURCE_DIR}/exercises/*/contract.cuh
       ${PROJECT_SOURCE_DIR}/exercises/*/starter.* ${PROJECT_SOURCE_DIR}/exercises/*/hints.md
       ${PROJECT_SOURCE_DIR}/exercises/*/exercise.toml ${PROJECT_SOURCE_DIR}/exercises/*/levels*
       ${PROJECT_SOURCE_DIR}/exercises/*/cases* ${PROJECT_SOURCE_DIR}/solutions/*/oracle*
       ${PROJECT_SOURCE_DIR}/solutions/*/solution.* ${PROJECT_SOURCE_DIR}/solutions/*/fast.cpp
       ${PROJECT_SOURCE_DIR}/solutions/*/fast/*.hpp
       ${PROJECT_SOURCE_DIR}/solutions/*/bench/*.cpp ${PROJECT_SOURCE_DIR}/solutions/*/walkthrough.md
       ${PROJECT_SOURCE_DIR}/solutions/*/hunt/template.* ${PROJECT_SOURCE_DIR}/solutions/*/hunt/*/*
       ${PROJECT_SOURCE_DIR}/solutions/*/interviewer.md ${PROJECT_SOURCE_DIR}/solutions/*/demo/*.cpp
       ${PROJECT_SOURCE_DIR}/harness/contract/assay/*.hpp ${PROJECT_SOURCE_DIR}/data/*.toml
       ${PROJECT_SOURCE_DIR}/harness/python/runtime/*.py ${PROJECT_SOURCE_DIR}/harness/python/runtime/*/*.py
       ${PROJECT_SOURCE_DIR}/data/vocabulary/*.txt)
  set(absolute)
  foreach(text ${texts})
    list(APPEND absolute ${PROJECT_SOURCE_DIR}/${text})
  endforeach()
  set(generated ${PROJECT_BINARY_DIR}/embedded.cpp)
  string(REPLACE ";" "\n" listed "${texts}")
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/embedded.txt CONTENT "${listed}\n")
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DLIST=${PROJECT_BINARY_DIR}/embedded.txt
            -DOUT=${generated} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${absolute} ${PROJECT_BINARY_DIR}/embedded.txt ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Embedding the exercises' texts")
  target_sources(${target} PRIVATE ${generated})
endfunction()
