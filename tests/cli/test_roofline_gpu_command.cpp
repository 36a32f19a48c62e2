// assay roofline --here --device cuda as typed: on a stand-in for the driver, cuBLAS and the clock, and without a GPU.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "cli/one_sentence.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace assay::tests;

namespace {

/// Preloaded, the stand-in's clock is the program's; a sanitiser's run-time library need not be the first then.
std::string stand_in(const std::string& mood = "") {
    const std::filesystem::path library = ASSAY_STAND_IN_CUDA;
    return "ASSAY_STAND_IN=" + mood +
           " ASAN_OPTIONS=verify_asan_link_order=0 LD_LIBRARY_PATH=" + library.parent_path().string() +
           " LD_PRELOAD=" + library.string();
}

const std::string here = "roofline --here --device cuda --seconds 0.2";

} // namespace

TEST_CASE("roofline measures a GPU by libraries that are opened when it runs") {
    Place place;
    place.extra = stand_in();
    const Ran text = place.run(here);
    CAPTURE(text.out, text.err);
    REQUIRE(text.exit == 0);
    REQUIRE(contains(text.out, "NVIDIA H100 80GB HBM3 (cuda:0)"));
    REQUIRE(contains(text.out, "81 % of 989"));
    REQUIRE(contains(text.out, "Data sheet of NVIDIA H100 SXM 80 GB (h100-sxm)"));
    REQUIRE(contains(place.run(here + " --color always").out, "\x1b["));

    const auto json = nlohmann::json::parse(place.run(here + " --format json").out);
    REQUIRE(json["kind"] == "here-cuda");
    REQUIRE(json["chip"]["name"] == "h100-sxm");
    REQUIRE(json["products"].size() == 4);
    REQUIRE(json["products"][3]["dtype"] == "bf16");
    REQUIRE(json["products"][3]["share"].get<double>() == Approx(800.0 / 989).epsilon(0.01));
    REQUIRE(json["products"][3]["ridge"].get<double>() == Approx(800.0 / 3).epsilon(0.02));
    REQUIRE(json["transfers"][0]["share"].get<double>() == Approx(3 / 3.35).epsilon(0.01));
}

TEST_CASE("another GPU, one dtype, and a data sheet of the user's") {
    Place place;
    place.extra = stand_in();
    place.write("chips.toml", R"([turing]
title = "Turing"
source = "a drawing"
device = "Stand-in of Turing"
memory_bytes = 16e9
memory_bandwidth = 4e12
[turing.peak]
fp16 = { dense = 1000e12, vendor_is = "dense" }
)");
    const auto json = nlohmann::json::parse(
        place.run("roofline --here --device cuda:1 --seconds 0.2 --dtype fp16 --chips chips.toml --format json").out);
    REQUIRE(json["device"]["ordinal"] == 1);
    REQUIRE(json["chip"]["name"] == "turing");
    REQUIRE(json["products"].size() == 1);
    REQUIRE(json["products"][0]["share"].get<double>() == Approx(0.8).epsilon(0.01));
    REQUIRE(json["transfers"][2]["share"].is_null()); // no pcie given
    const auto unknown =
        nlohmann::json::parse(place.run("roofline --here --device cuda:1 --seconds 0.2 --format json").out);
    REQUIRE(unknown["chip"].is_null());
}

TEST_CASE("what a machine lacks of a GPU is one sentence, and exit code 3") {
    Place place;
    for (const auto& [mood, part] :
         {std::pair{"none", "the CUDA driver shows no GPU"}, std::pair{"old", "update the driver"},
          std::pair{"tiny", "too little memory of cuda:0 is free"}, std::pair{"drift", "more than 10 % apart"},
          std::pair{"no-blas", "does not serve cuda:0"}, std::pair{"taken", "taken by another process"}}) {
        place.extra = stand_in(mood);
        require_error(place.run(here), part, 3);
    }
    place.extra = stand_in();
    require_error(place.run("roofline --here --device cuda:7"), "there is no cuda:7 here: the driver shows 2 GPUs", 3);
}

TEST_CASE("wrong use of --device is one sentence") {
    const Place place;
    for (const std::string device : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999", "CUDA"})
        require_error(place.run("roofline --here --device " + device),
                      "no such device: " + device + " (give --device cpu");
    require_error(place.run("roofline --device cuda"), "--device goes with --here");
    require_error(place.run("roofline --chip l4 --model gpt-2 --device cpu"), "--device goes with --here");
    require_error(place.run(here + " --chip l4"), "--chip and --here exclude each other");
    require_error(place.run(here + " --model gpt-2"), "measures products and copies, no network: leave out --model");
    require_error(place.run(here + " --tokens 1,2"), "no network");
    require_error(place.run(here + " --gated"), "no network");
    require_error(place.run(here + " --d-model 64"), "no network");
    require_error(place.run(here + " --threads 1"), "--threads is for --device cpu");
    require_error(place.run(here + " --dtype int8"), "--device cuda measures fp32, tf32, fp16, bf16; give one of them");
    require_error(place.run(here + " --gpus 2"), "--here measures one machine");
    require_error(place.run("roofline --here --device cuda --seconds 0"), "--seconds must be a number from 0.1");
    require_error(place.run("roofline --here --device cpu --chips none.toml"),
                  "--chips goes with --chip or --device cuda");
    require_error(place.run(here + " --chips none.toml"), "cannot read none.toml");
}
