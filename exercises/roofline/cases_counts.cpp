// Level counts: the three costs, the three times, the longest.
#include "cases.hpp"

#include <cmath>

namespace assay::roofline_judge {

namespace {

constexpr double infinity = HUGE_VAL;

Case counted(std::string id, std::string why, Change change, std::string stays = "") {
    return make_case("count", std::move(id), std::move(why), std::move(change), std::move(stays));
}

Change sized(std::int64_t tokens, std::int64_t d, std::int64_t f, std::int64_t n, Chip chip = h100) {
    return [=](Draft& draft) {
        draft.tokens = tokens;
        draft.d_model = d;
        draft.hidden = f;
        draft.gpus = n;
        draft.chip = chip;
    };
}

} // namespace

std::vector<Case> counts_cases() {
    std::vector<Case> cases;
    // A level ends after six failing cases, so what shows in one case only comes early, to be told beside another slip.
    cases.push_back(counted("small",
                            "numbers to follow by hand: T = 3, d = 5, f = 7, n = 6, on a chip of round figures",
                            sized(3, 5, 7, 6, {10, 20, 1, 4})));
    cases.push_back(counted("worked", "the statement's example: 14.3, 18.4 and 11.4 µs", sized(300, 5120, 13824, 6)));
    cases.push_back(counted("no-tokens", "T = 0: the weights are read all the same", sized(0, 5120, 13824, 6)));
    cases.push_back(counted("tie", "T = 4, d = f = 2 at 1 TFLOP/s and 1 TB/s: compute and memory take 64 ps each",
                            sized(4, 2, 2, 1, {1, 2, 1, 6})));
    cases.push_back(counted("beyond-64-bits", "6.7e19 FLOPs are more than a 64-bit integer holds",
                            sized(4194307, 1000003, 4000037, 7, a100)));
    const auto add_invalid = [&](const std::vector<Wrong>& wrongs) {
        for (Case& one : invalid_cases("count", "", wrongs)) cases.push_back(std::move(one));
    };
    add_invalid({{"negative-tokens", "T = -1", [](Draft& d) { d.tokens = -1; }}});
    cases.push_back(counted("one-gpu", "n = 1: nobody to send to", sized(300, 5120, 13824, 1, h200),
                            "parts a tensor sent once from 2 (n-1)/n taken as 1"));
    cases.push_back(counted("decode", "a single token: the weights are all there is to read, memory binds",
                            sized(1, 8192, 28672, 7, a100), "memory binds by far"));
    cases.push_back(
        counted("prefill", "many tokens: compute binds", sized(6000, 8192, 28672, 3, b200), "compute binds by far"));
    cases.push_back(counted("slow-link", "a card on PCIe: the network binds", sized(700, 5120, 13824, 7, l40s),
                            "the network binds"));
    cases.push_back(counted("more-gpus-than-rows", "n may exceed every extent: shares of a row are fractions",
                            sized(5, 3, 7, 11), "n/d and n/f above 1"));
    cases.push_back(counted("smallest", "T = d = f = n = 1, all of them allowed", sized(1, 1, 1, 1, a100),
                            "the least that the domain holds"));
    cases.push_back(drawn_case("count", "counts-drawn"));
    add_invalid({
        {"no-gpus", "n = 0", [](Draft& d) { d.gpus = 0; }},
        {"no-width", "d = 0", [](Draft& d) { d.d_model = 0; }},
        {"no-hidden", "f = 0", [](Draft& d) { d.hidden = 0; }},
        {"negative-gpus", "n = -6", [](Draft& d) { d.gpus = -6; }},
        {"peak-nan", "a peak of NaN", [](Draft& d) { d.chip.dense = NAN; }},
        {"peak-negative", "a peak below 0", [](Draft& d) { d.chip.dense = -989; }},
        {"sparse-zero", "a sparse peak of 0, a figure that plays no part", [](Draft& d) { d.chip.sparse = 0; }},
        {"memory-zero", "a memory bandwidth of 0", [](Draft& d) { d.chip.memory = 0; }},
        {"memory-infinite", "an infinite memory bandwidth", [](Draft& d) { d.chip.memory = infinity; }},
        {"link-nan-at-one", "a link of NaN, on one GPU, which does not use it",
         [](Draft& d) {
             d.chip.link = NAN;
             d.gpus = 1;
         }},
        {"link-negative", "a link below 0", [](Draft& d) { d.chip.link = -900; }},
    });
    return cases;
}

} // namespace assay::roofline_judge
