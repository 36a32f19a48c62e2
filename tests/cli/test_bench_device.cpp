// assay bench --device cuda as typed. Where a race is run there is no GPU: a driver and an nvcc stand in, and the
// emulation runs what would run on it. Its times mean nothing; who is called, timed, told and refused is as on a
// device.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "cli/bench_report.hpp"
#include "report/json_schema.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

using namespace assay::tests;
using assay::shell_word;
namespace fs = std::filesystem;

namespace {

void require_error(const Ran& ran, int exit, const std::string& part) {
    CAPTURE(ran.out, ran.err, part);
    REQUIRE(ran.exit == exit);
    REQUIRE(ran.out.empty());
    REQUIRE(ran.err.rfind("assay: ", 0) == 0);
    REQUIRE(contains(ran.err, part));
}

/// A toolkit whose nvcc is tests/cli/stand_in_nvcc.sh, where a compiler's user may read it.
class StandInToolkit {
  public:
    StandInToolkit() {
        std::string name = (fs::temp_directory_path() / "assay-toolkit-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the toolkit");
        root_ = name;
        fs::permissions(root_, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                   fs::perms::others_read | fs::perms::others_exec);
        for (const char* folder : {"bin", "lib"}) fs::create_directory(root_ / folder);
        const fs::path source = ASSAY_SOURCE_DIR;
        fs::copy_file(source / "tests/cli/stand_in_nvcc.sh", root_ / "bin/nvcc");
        fs::copy_file(ASSAY_CUDA_REWRITE, root_ / "bin/cuda-rewrite");
        fs::copy(source / "cuda/host/include", root_ / "include", fs::copy_options::recursive);
        fs::copy_file(ASSAY_SIMT_ARCHIVE, root_ / "lib/libassay_simt.a");
        const fs::path context = fs::canonical(ASSAY_BOOST_CONTEXT_LIBRARY);
        fs::copy_file(context,
                      root_ / (context.extension() == ".a" ? "lib/libboost_context.a" : "lib/libboost_context.so"));
    }
    ~StandInToolkit() {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    StandInToolkit(const StandInToolkit&) = delete;
    StandInToolkit& operator=(const StandInToolkit&) = delete;

    std::string path() const { return "PATH=" + shell_word((root_ / "bin").string()) + ":$PATH"; }

  private:
    fs::path root_;
};

std::string driver_folder() {
    return "LD_LIBRARY_PATH=" + shell_word(fs::path(ASSAY_STAND_IN_DRIVER).parent_path().string());
}

/// The model answer with something done at the start of `attention`.
std::string solution_that(const std::string& before, const std::string& does) {
    std::string text = checkout_file("solutions/sdpa/solution.cu");
    const std::string call = "    attend(q, k, v, {mask, causal}, scale, out, stream);\n";
    text.insert(text.find(call), does); // of the first function, which is asked here
    return before + text;
}

} // namespace

TEST_CASE("what cannot be timed on a GPU is told in a sentence") {
    Place place;
    place.write("sdpa.cu", checkout_file("solutions/sdpa/solution.cu"));
    place.write("mine.cpp", attention(""));
    require_error(place.run("bench memory --device cuda"), 2, "memory is not asked in CUDA");
    require_error(place.run("bench sdpa --device emulated"), 2, "--device cuda times attempts in CUDA on a GPU");
    require_error(place.run("bench sdpa mine.cpp --device cuda"), 2,
                  "--device cuda times attempts in CUDA, and mine.cpp is none");
    require_error(place.run("bench sdpa --device gpu"), 2, "--device");
    require_error(place.run("bench sdpa.cu"), 3, "sdpa.cu cannot be timed: its kernels are emulated");
    require_error(place.run("bench sdpa.cu"), 3, "--device cuda times it on one");
    place.extra = "ASSAY_STAND_IN=none " + driver_folder();
    require_error(place.run("bench sdpa.cu --device cuda"), 3, "nothing can be timed on a GPU here: ");
}

TEST_CASE("a race on a device has clocks, figures or reasons for everybody, and refuses what touches the clocks") {
    const StandInToolkit toolkit;
    Place place;
    place.extra = driver_folder() + " " + toolkit.path();
    place.write("right.cu", solution_that("", ""));
    place.write("wrong.cu", solution_that("", "    scale = 0.9f;\n"));
    // Says that the call is over, after a nanosecond, before it is.
    place.write("forger.cu",
                solution_that("#include <unistd.h>\n",
                              "    static const unsigned char over[] = {102, 0xcb, 0x3e, 0x11, 0x2e, 0x0b, 0xe8, 0x26, "
                              "0xd6, 0x95,\n        0xcb, 0x3e, 0x11, 0x2e, 0x0b, 0xe8, 0x26, 0xd6, 0x95};\n"
                              "    if (::write(3, over, sizeof over) < 0) return;\n"));
    place.write("breaks.cu", solution_that("", "    oops\n"));
    place.write("beside.cpp", checkout_file("solutions/sdpa/solution.cpp"));
    const Ran ran = place.run("bench sdpa right.cu --with wrong.cu --with forger.cu --with breaks.cu --with beside.cpp "
                              "--device cuda --case decode-1x8x32768x128 --seconds 2 --format json");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 1);
    CHECK(misfit_of(ran.out, "data/bench.schema.json") == "");
    const auto report = nlohmann::json::parse(ran.out);
    CHECK(report["device"]["name"] == "Stand-in GPU");
    CHECK(report["device"]["architecture"] == "sm_90");
    CHECK(contains(report["compiler"].get<std::string>(), "nvcc 13.0.0 with "));
    CHECK(report["cases"][0]["device_limits"] == "not known: Assay has no data sheet of Stand-in GPU");
    CHECK(report["left_out"][0]["name"] == "breaks.cu");
    for (const char* name : {"attempt", "solution"}) {
        const auto one = contestant(report, name);
        INFO(one.dump(2));
        CHECK(one["device"] == "cuda");
        CHECK(one["disqualified"] == false);
        CHECK((one["measurable"] == true) == one["reason"].get<std::string>().empty());
        CHECK((!one["samples_s"].empty() || !one["reason"].get<std::string>().empty())); // a slow machine fits in none
        const auto clocks = one["clocks"];
        CHECK(clocks["events_s"].get<double>() > 0);
        CHECK(clocks["host_s"].get<double>() >= clocks["events_s"].get<double>());
        CHECK(clocks["judge_s"].get<double>() >= clocks["host_s"].get<double>());
        CHECK(clocks["host_empty_s"].get<double>() < clocks["host_s"].get<double>());
        CHECK(one["empty_call_s"] == 0);
        CHECK(one["peak_bytes"].is_null());
    }
    const auto wrong = contestant(report, "wrong.cu");
    CHECK(wrong["disqualified"] == true);
    CHECK(contains(wrong["reason"].get<std::string>(), "answer is wrong: out["));
    const auto forger = contestant(report, "forger.cu");
    CHECK(forger["disqualified"] == true);
    CHECK(contains(forger["reason"].get<std::string>(), "wrote to the judge's channel"));
    const auto beside = contestant(report, "beside.cpp");
    CHECK(beside["device"] == "cpu");
    CHECK(beside["disqualified"] == false);
    CHECK(beside["clocks"].is_null());
    CHECK(beside["empty_call_s"].get<double>() > 0);
}

TEST_CASE("without an attempt in CUDA the solution is timed alone, and said to be") {
    const StandInToolkit toolkit;
    Place place;
    place.extra = driver_folder() + " " + toolkit.path();
    place.write("sdpa.cpp", attention(""));
    const Ran ran = place.run("bench sdpa --device cuda --case decode-1x8x32768x128 --seconds 1");
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 0);
    CHECK(contains(ran.out, "no attempt of yours takes part, since sdpa.cpp is not in CUDA"));
    CHECK(contains(ran.out, "on Stand-in GPU (sm_90)"));
    CHECK(contains(ran.out, "The device's limits: not known"));
    CHECK_FALSE(contains(ran.out, "naive"));
}
