// Level crossover: ridge, intensity, and from how many tokens on compute binds.
#include "cases.hpp"

#include <cmath>

namespace assay::roofline_judge {

namespace {

Case cross(std::string id, std::string why, std::int64_t tokens, std::int64_t d, std::int64_t f, std::int64_t n,
           std::int64_t bytes, Chip chip, std::string stays = "") {
    return make_case(
        "cross", std::move(id), std::move(why),
        [=](Draft& draft) {
            draft.tokens = tokens;
            draft.d_model = d;
            draft.hidden = f;
            draft.gpus = n;
            draft.bytes_per_element = bytes;
            draft.chip = chip;
        },
        std::move(stays));
}

} // namespace

std::vector<Case> crossover_cases() {
    constexpr Chip h100_fp8{1979, 3958, 3.35, 900}, h100_tf32{494.7, 989.4, 3.35, 900};
    std::vector<Case> cases;
    cases.push_back(cross("wide", "d = 8192, f = 4d, one H100: 303.4 tokens, so 304", 256, 8192, 32768, 1, 2, h100));
    cases.push_back(cross("wide-on-eight",
                          "d = 8192, f = 4d on 8: activations are not sharded, so it takes 376.7 tokens", 400, 8192,
                          32768, 8, 2, h100));
    cases.push_back(cross("never", "d = 1024 on 8: a token brings more bytes than FLOPs pay for, compute never binds",
                          5000, 1024, 4096, 8, 2, h100));
    cases.push_back(cross("never-alone", "d = 128: never, not even on one GPU", 40, 128, 512, 3, 2, h100,
                          "no crossover however the layer is sharded"));
    cases.push_back(cross("fp8", "1 byte an element, and the peak of that type", 300, 5120, 13824, 3, 1, h100_fp8));
    cases.push_back(cross("four-bytes", "4 bytes an element, and the peak of that type", 900, 5120, 13824, 3, 4,
                          h100_tf32, "as many tokens as with 1 byte: the peak fell as the bytes grew"));
    cases.push_back(cross("no-tokens-to-cross", "T = 0: an intensity of 0", 0, 5120, 13824, 6, 2, a100,
                          "an intensity of 0 is no division by 0"));
    cases.push_back(cross("cross-beyond-64-bits", "products beyond 64 bits", 4194307, 1000003, 4000037, 7, 2, b200,
                          "intensity is a ratio of two such products"));
    cases.push_back(cross("smallest-to-cross", "T = d = f = n = 1 and 1 byte, on a chip that crosses below one token",
                          1, 1, 1, 1, 1, {1, 2, 3, 6}, "the least that the domain holds"));
    cases.push_back(drawn_case("cross", "crossover-drawn"));
    const std::vector<Wrong> wrongs{
        {"no-bytes", "0 bytes an element", [](Draft& d) { d.bytes_per_element = 0; }},
        {"negative-bytes", "-2 bytes an element", [](Draft& d) { d.bytes_per_element = -2; }},
        {"no-gpus", "n = 0", [](Draft& d) { d.gpus = 0; }},
        {"negative-tokens", "T = -1", [](Draft& d) { d.tokens = -1; }},
        {"memory-nan", "a memory bandwidth of NaN", [](Draft& d) { d.chip.memory = NAN; }},
        {"link-zero", "a link of 0, a figure that plays no part here", [](Draft& d) { d.chip.link = 0; }},
    };
    for (Case& one : invalid_cases("cross", "cross-", wrongs)) cases.push_back(std::move(one));
    return cases;
}

} // namespace assay::roofline_judge
