// The program of the hunt sdpa as a candidate gets it (real_checks.hpp).
#include "hunt/real_checks.hpp"

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& sdpa() {
    static const Hunting one("sdpa");
    return one;
}

} // namespace

TEST_CASE("sdpa's hunt: both languages have the same slots and fragments") { hunting::expect_same_slots(sdpa()); }

TEST_CASE("sdpa's hunt: pasted programs are short, and name neither slots nor bugs") {
    hunting::expect_plain_texts(sdpa());
}

TEST_CASE("sdpa's hunt: hunts drawn by seeds are built, counted, and pass once they are mended") {
    hunting::expect_mended(sdpa());
}

TEST_CASE("sdpa's hunt: every fragment alone behaves in Python as in the model") {
    hunting::expect_python_like_model(sdpa());
}

TEST_CASE("sdpa's hunt: every fragment alone compiles without warnings") { hunting::expect_no_warnings(sdpa()); }

TEST_CASE("sdpa's hunt: a file written from scratch has no bug left where it is right, else those that it has") {
    hunting::Workshop workshop("sdpa");
    const std::filesystem::path solutions = std::filesystem::path(ASSAY_SOURCE_DIR) / "solutions/sdpa";
    const auto left = [&](const std::string& file, const Planted& planted) {
        bool readable = false;
        const std::string text = read_text(solutions / file, readable, 1 << 20);
        REQUIRE(readable);
        INFO(file);
        const auto attempt = workshop.attempt(text, "cpp");
        return count_remaining(sdpa().hunt, sdpa().exercise, sdpa().whole, planted, *attempt, 0);
    };
    const auto position = [&](const std::string& id) {
        for (int at = 0; at < sdpa().count(); ++at)
            if (sdpa().bug(at).id == id) return at;
        FAIL("no bug " << id);
        return 0;
    };
    for (const char* file : {"solution.cpp", "accepted/online-per-key.cpp", "accepted/exp2-folded-scale.cpp",
                             "accepted/split-and-merge.cpp"}) {
        if (std::string_view(file) != "solution.cpp" && !hunting::long_suite()) continue;
        CHECK(left(file, plant(sdpa().hunt, sdpa().exercise, sdpa().whole, 3, 7)) == 0);
    }
    // Wrong attempts of the exercise's bank whose forms the hunt has as well; sentinels and maxima there go without the
    // guard of empty rows or with one of their own.
    const std::vector<std::string> files{"gqa-tiled",          "mask-inverted",     "causal-top-left",
                                         "causal-strict",      "scale-by-d",        "scale-by-model-width",
                                         "scale-twice",        "scale-missing",     "mask-after-softmax",
                                         "mask-batch-as-head", "no-max-subtraction"};
    const int other = position("first-weight-twice");
    for (const std::string& file : files) {
        if (file != "gqa-tiled" && !hunting::long_suite()) continue;
        INFO(file);
        std::vector<int> both{position(file.substr(0, file.find("--"))), other};
        std::sort(both.begin(), both.end());
        CHECK(left("rejected/WA/" + file + ".cpp", sdpa().with(both)) == 1);
        CHECK_FALSE(left("rejected/WA/" + file + ".cpp", sdpa().with({other})));
    }
}
