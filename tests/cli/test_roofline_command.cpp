// assay roofline as typed: what it answers, and how each wrong use of it is told.
#include "catch.hpp"
#include "cli/assay.hpp"
#include "cli/one_sentence.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace assay::tests;

namespace {

nlohmann::json json_of(const Ran& ran) {
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 0);
    REQUIRE(ran.err.empty());
    return nlohmann::json::parse(ran.out);
}

const std::string example = "roofline --chip h100-sxm --d-model 5120 --hidden 13824 --gpus 6 --tokens 300";

const std::string own_chip = R"([toy]
title = "Toy"
source = "a drawing"
memory_bytes = 1e9
memory_bandwidth = 1e12
[toy.peak]
bf16 = { dense = 1e12, vendor_is = "dense" }
)";

} // namespace

TEST_CASE("roofline gives the worked example's three times") {
    const Place place;
    const Ran ran = place.run(example);
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    REQUIRE(contains(ran.out, "14.313 µs     18.395 µs     11.378 µs   memory"));
    REQUIRE_FALSE(contains(ran.out, "\x1b"));
    REQUIRE(contains(place.run(example + " --color always").out, "\x1b["));
    const auto json = json_of(place.run(example + " --format json"));
    REQUIRE(json["points"][0]["network"].get<double>() == Approx(11.378e-6).margin(5e-10));
    REQUIRE(place.run(example + " --format json").out == place.run(example + " --format json").out);
}

TEST_CASE("a model gives its widths, and whether it is gated") {
    const Place place;
    const auto json =
        json_of(place.run("roofline --chip h100-sxm --model llama-2-13b --gpus 6 --tokens 300 --format json"));
    REQUIRE(json["ffn"]["d_model"] == 5120);
    REQUIRE(json["ffn"]["hidden"] == 13824);
    REQUIRE(json["ffn"]["gated"] == true);
    REQUIRE(json["points"][0]["compute"].get<double>() == Approx(1.5 * 14.313e-6).margin(1e-9));
    REQUIRE(json_of(place.run("roofline --chip l4 --model gpt-2 --format json"))["ffn"]["gated"] == false);
}

TEST_CASE("dtype and link change what they stand for") {
    const Place place;
    const auto fp8 = json_of(place.run(example + " --dtype fp8 --format json"));
    REQUIRE(fp8["chip"]["peak"] == 1979e12);
    REQUIRE(fp8["ffn"]["element_bytes"] == 1);
    const auto pcie = json_of(place.run(example + " --link pcie --format json"));
    REQUIRE(pcie["chip"]["link_per_direction"] == 64e9);
    // Only two H100 PCIe are joined by a bridge: four talk over PCIe.
    const std::string cards = "roofline --chip h100-pcie --model llama-3-8b --tokens 8 --format json --gpus ";
    REQUIRE(json_of(place.run(cards + "2"))["chip"]["link"] == "nvlink-bridge");
    REQUIRE(json_of(place.run(cards + "4"))["chip"]["link"] == "pcie");
}

TEST_CASE("wrong use of roofline is one sentence") {
    const Place place;
    require_error(place.run("roofline"), "no chip named: give --chip NAME (a100-sxm-40, ");
    require_error(place.run("roofline --chip h100 --model gpt-2"),
                  "no such chip: h100 (did you mean h100-sxm or h100-pcie?");
    require_error(place.run("roofline --chip zzzzzz --model gpt-2"), "no such chip: zzzzzz (there are a100-sxm-40");
    require_error(place.run("roofline --chip '' --model gpt-2"), "no chip named");
    require_error(place.run("roofline --chip l4"),
                  "no network to look at: give --d-model and --hidden, or --model NAME (gpt-2");
    require_error(place.run("roofline --chip l4 --d-model 8"), "no network to look at");
    require_error(place.run("roofline --chip l4 --model llama3-8b"), "did you mean llama-3-8b?");
    require_error(place.run("roofline --chip l4 --model gpt-2 --hidden 8"), "--model gpt-2 gives the widths");
    require_error(place.run("roofline --chip l4 --model gpt-2 --gated"), "gpt-2 is not gated");
    require_error(place.run("roofline --chip l4 --model gpt-2 --dtype fp4"),
                  "l4 has no peak for fp4; give --dtype fp32, ");
    require_error(place.run("roofline --chip l4 --model gpt-2 --link nvlink"), "l4 has no link nvlink; it has pcie");
    require_error(place.run("roofline --chip mi300x --model gpt-2 --gpus 9 --link infinity-fabric"),
                  "joins 8 chips, not 9");
    require_error(place.run("roofline --chip l4 --model gpt-2 --gpus 0"),
                  "--gpus must be a whole number from 1 to 1000000; it is 0");
    require_error(place.run("roofline --chip l4 --d-model -4 --hidden 8"),
                  "--d-model must be a whole number from 1 to 1000000; it is -4");
    require_error(place.run("roofline --chip l4 --d-model 4 --hidden 99999999"), "--hidden must be");
    require_error(place.run("roofline --chip l4 --d-model nan --hidden 8"), "--d-model");
    require_error(place.run("roofline --chip l4 --model gpt-2 --tokens 8:2"), "--tokens runs from 8 down to 2");
    require_error(place.run("roofline --chip l4 --model gpt-2 --tokens 0"), "--tokens holds what is no such number");
    require_error(place.run("roofline --chip l4 --model gpt-2 --threads 2"), "go with --here");
    require_error(place.run("roofline --chip l4 --model gpt-2 --format xml"), "--format");
    require_error(place.run("roofline --here --chip l4"), "--chip and --here exclude each other");
    require_error(place.run("roofline --here --gpus 2"), "--here measures one machine");
    require_error(place.run("roofline --here --dtype bf16"), "--here measures fp32");
    require_error(place.run("roofline --here --threads 100000"), "--threads must be a whole number from 1 to ");
    require_error(place.run("roofline --here --seconds 0"), "--seconds must be a number from 0.1 to 3600; it is 0");
    require_error(place.run("roofline --here --seconds nan"), "--seconds must be");
    require_error(place.run("roofline --here --tokens 2000000"), "--here takes at most 1000000 tokens");
}

TEST_CASE("a user's own chips and models") {
    const Place place;
    place.write("chips.toml", own_chip);
    const auto json = json_of(
        place.run("roofline --chips chips.toml --chip toy --d-model 100 --hidden 400 --tokens 1,2 --format json"));
    REQUIRE(json["chip"]["title"] == "Toy");
    REQUIRE(json["ridge"] == 1);
    REQUIRE(json_of(place.run("roofline --chips chips.toml --chip l4 --model gpt-2 --format json"))["chip"]["name"] ==
            "l4");
    require_error(place.run("roofline --chips chips.toml --chip toy --model gpt-2 --gpus 2"),
                  "toy has no link that joins 2 chips");
    require_error(place.run("roofline --chips chips.toml --chip tox --model gpt-2"), "did you mean toy?");

    place.write("bad.toml", own_chip.substr(0, own_chip.find("memory_bandwidth")) + "memory_bandwidth = -1\n");
    require_error(place.run("roofline --chips bad.toml --chip l4 --model gpt-2"),
                  "bad.toml, line 5: 'toy.memory_bandwidth'");
    require_error(place.run("roofline --chips none.toml --chip l4 --model gpt-2"), "cannot read none.toml");
    require_error(place.run("roofline --chips . --chip l4 --model gpt-2"), "cannot read .");

    std::string models = checkout_file("data/models.toml");
    const std::size_t at = models.find("[llama-3-8b]");
    REQUIRE(at != std::string::npos);
    models = models.substr(at, models.find("\n[", at) - at);
    models.replace(0, 12, "[my-llama]");
    place.write("models.toml", models + "\n");
    REQUIRE(json_of(place.run(
                "roofline --models models.toml --model my-llama --chip l4 --format json"))["ffn"]["hidden"] == 14336);
    models.replace(models.find("hidden = 14336"), 14, "hidden = 14337");
    place.write("models.toml", models + "\n");
    require_error(place.run("roofline --models models.toml --model my-llama --chip l4"),
                  "but the widths come to 8030654464");
    require_error(place.run("roofline --models models.toml --chip l4 --d-model 1 --hidden 1"),
                  "--models needs --model");
}

TEST_CASE("--here measures and answers") {
    const Place place;
    const std::string here = "roofline --here --d-model 48 --hidden 96 --tokens 1,8 --seconds 0.2";
    const Ran ran = place.run(here + " --format json");
    if (ran.exit == 3) { // built without Eigen
        require_error(ran, "libeigen3-dev", 3);
        return;
    }
    const auto json = json_of(ran);
    REQUIRE(json["kind"] == "here");
    REQUIRE(json["figures"][0]["threads"] == 1);
    REQUIRE(json["figures"][0]["points"].size() == 2);
    REQUIRE(json["figures"][0]["points"][0]["measured"]["samples"].get<int>() >= 5);
    const Ran text = place.run(here + " --threads 1 --gated");
    CAPTURE(text.out, text.err);
    REQUIRE(text.exit == 0);
    REQUIRE(contains(text.out, "1 thread"));
    REQUIRE_FALSE(contains(text.out, "2 threads"));
    REQUIRE(contains(text.out, "three matrices (gated)"));
    require_error(place.run("roofline --here --d-model 1000000 --hidden 10000000"), "GiB", 3);
}
