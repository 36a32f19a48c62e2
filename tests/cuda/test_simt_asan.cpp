// Under AddressSanitizer an overrun of shared memory is reported with its line, and right kernels run in peace.
#include "cuda/emulation.hpp"
#include "host/rewrite.hpp"

#include "catch.hpp"
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <unistd.h>

using namespace assay::simt;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// One build for all cases: it takes two seconds.
class Sanitised {
  public:
    Sanitised() : folder_(fs::temp_directory_path() / ("assay-simt-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
        const std::string source = std::string(ASSAY_SOURCE_DIR), kernels = source + "/tests/cuda/kernels/";
        std::string files = kernels + "sanitised_main.cpp";
        for (const std::string name : {"right.cu", "wrong.cu"}) {
            std::ofstream(folder_ / (name + ".cpp"), std::ios::binary) << rewrite(read(kernels + name), name).text;
            files += " " + (folder_ / (name + ".cpp")).string();
        }
        built_ = sh("g++ -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize=bounds "
                    "-fsanitize-sections=assay_shared "
                    "-I" +
                    source + "/cuda/host/include -I" + source + "/harness/contract -I" + kernels + " " + files + " " +
                    ASSAY_SIMT_LIBRARY + " " + ASSAY_BOOST_CONTEXT + " -ldl -o " + (folder_ / "program").string()) == 0;
    }
    ~Sanitised() { fs::remove_all(folder_); }
    Sanitised(const Sanitised&) = delete;
    Sanitised& operator=(const Sanitised&) = delete;

    bool built() const { return built_; }
    std::string said() const { return read(folder_ / "said"); }
    int run(const std::string& what) {
        return sh("env ASAN_OPTIONS=detect_leaks=0 " + (folder_ / "program").string() + " " + what);
    }

  private:
    fs::path folder_;
    bool built_ = false;

    int sh(const std::string& command) {
        return std::system((command + " >" + (folder_ / "said").string() + " 2>&1").c_str());
    }
};

} // namespace

TEST_CASE("AddressSanitizer sees overruns of shared memory, and only those") {
    Sanitised program;
    if (!program.built()) {
        const bool lacks_library = program.said().find("asan") != std::string::npos;
        INFO(program.said());
        REQUIRE(lacks_library);
        WARN("g++ has no AddressSanitizer library here: not tried");
        return;
    }
    INFO(program.said());
    CHECK(program.run("right") == 0);
    CHECK(program.said() == "");
    CHECK(program.run("abandoned") == 0);
    CHECK(program.said() == "");

    CHECK(program.run("static") != 0);
    CHECK(program.said().find("global-buffer-overflow") != std::string::npos);
    CHECK(program.said().find("wrong.cu:" + std::to_string(trial::line_of("wrong.cu", "one too many"))) !=
          std::string::npos);
    CHECK(program.run("dynamic") != 0);
    CHECK(program.said().find("use-after-poison") != std::string::npos);
    CHECK(program.said().find("wrong.cu:" + std::to_string(trial::line_of("wrong.cu", "the last is outside"))) !=
          std::string::npos);
}
