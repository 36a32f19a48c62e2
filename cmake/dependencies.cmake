# What Assay builds with. Each missing piece ends in one sentence with the Debian package that mends it.

function(assay_require found package)
  if(NOT ${found})
    message(FATAL_ERROR "Assay needs ${package}: install it (Debian: apt-get install ${package}) and configure again.")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(fmt QUIET)
assay_require(fmt_FOUND libfmt-dev)
find_package(CLI11 QUIET)
assay_require(CLI11_FOUND libcli11-dev)
find_package(nlohmann_json QUIET)
assay_require(nlohmann_json_FOUND nlohmann-json3-dev)
find_package(tomlplusplus QUIET)
assay_require(tomlplusplus_FOUND libtomlplusplus-dev)

find_package(pugixml QUIET)
assay_require(pugixml_FOUND libpugixml-dev)
find_package(SQLiteCpp QUIET)
assay_require(SQLiteCpp_FOUND libsqlitecpp-dev)

# Header-only with a package file that is broken or misnamed in Debian 12: found by header.
find_path(MSGPACK_INCLUDE msgpack.hpp)
assay_require(MSGPACK_INCLUDE libmsgpack-cxx-dev)
add_library(msgpackc-cxx INTERFACE)
target_include_directories(msgpackc-cxx SYSTEM INTERFACE ${MSGPACK_INCLUDE})
find_path(RANG_INCLUDE rang.hpp)
assay_require(RANG_INCLUDE librang-dev)
add_library(rang INTERFACE)
target_include_directories(rang SYSTEM INTERFACE ${RANG_INCLUDE})

find_path(XXHASH_INCLUDE xxhash.h)
assay_require(XXHASH_INCLUDE libxxhash-dev)
find_library(XXHASH_LIBRARY xxhash)
assay_require(XXHASH_LIBRARY libxxhash-dev)
add_library(xxhash INTERFACE)
target_include_directories(xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
target_link_libraries(xxhash INTERFACE ${XXHASH_LIBRARY})

# For the sandbox. bubblewrap and the kernel's own layers are found when attempts run.
find_path(SECCOMP_INCLUDE seccomp.h)
assay_require(SECCOMP_INCLUDE libseccomp-dev)
find_library(SECCOMP_LIBRARY seccomp)
assay_require(SECCOMP_LIBRARY libseccomp-dev)
add_library(seccomp INTERFACE)
target_include_directories(seccomp SYSTEM INTERFACE ${SECCOMP_INCLUDE})
target_link_libraries(seccomp INTERFACE ${SECCOMP_LIBRARY})

# For kernels on the CPU: only the switch of stacks is used, a few lines of assembly in the static library.
find_path(BOOST_CONTEXT_INCLUDE boost/context/detail/fcontext.hpp)
assay_require(BOOST_CONTEXT_INCLUDE libboost-context-dev)
find_library(BOOST_CONTEXT_LIBRARY NAMES libboost_context.a boost_context)
assay_require(BOOST_CONTEXT_LIBRARY libboost-context-dev)
add_library(boost_context INTERFACE)
target_include_directories(boost_context SYSTEM INTERFACE ${BOOST_CONTEXT_INCLUDE})
target_link_libraries(boost_context INTERFACE ${BOOST_CONTEXT_LIBRARY})

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("#include <string>\nint main(int n, char**) { return std::string(static_cast<unsigned>(n), ' ').empty(); }"
                          ASSAY_STATIC_LINK)
unset(CMAKE_REQUIRED_LINK_OPTIONS)

# For attempts, which may include Eigen, and for `assay roofline --here`, which multiplies with it.
find_path(ASSAY_EIGEN_DIR Eigen/Dense PATH_SUFFIXES eigen3)
if(NOT ASSAY_EIGEN_DIR)
  set(ASSAY_EIGEN_DIR "")
  message(STATUS "Eigen is not here: attempts cannot include it, roofline --here cannot measure (Debian: libeigen3-dev).")
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()
