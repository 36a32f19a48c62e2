// Level half-storage: 16-bit tensors, float32 inside, results in float32 and once more in the storage type.
#include "cases.hpp"

#include <cmath>

namespace assay::sdpa_judge {

namespace {

/// 4096 equal logits: 16-bit sums of ones stop at 2048 (float16) or 256 (bfloat16).
Change equal_logits(std::int64_t ones) {
    return [ones](Draft& d) {
        for_each_index(d.q.extents, [&](const Index& at) { d.q.set(at, 0); });
        for_each_index(d.v.extents, [&](const Index& at) { d.v.set(at, at[2] < ones ? 1 : 0); });
    };
}

/// q = kA = (64, 1 x 63), kB = (64, 0, ...): logits 519.875 and 512, of which 16 bits keep 512 and 512.
void near_logits(Draft& d) {
    for_each_index(d.q.extents, [&](const Index& at) { d.q.set(at, at[3] == 0 ? 64 : 1); });
    for_each_index(d.k.extents, [&](const Index& at) { d.k.set(at, at[3] == 0 ? 64 : at[2] == 0 ? 1 : 0); });
    for_each_index(d.v.extents, [&](const Index& at) { d.v.set(at, at[2] == at[3] ? 1 : 0); });
}

/// All that the float32 routes are asked for, at once.
void everything(Draft& d) {
    d.scale = 0.37;
    d.causal = true;
    d.mask_randomly({true, true, true, true}, 0.6);
    for (std::int64_t j = 0; j < d.shape.Lk; ++j) d.mask->set(Index{1, 2, 3, j}, 0);
    d.k = Draft::heads_inside(d.k);
    d.v = Draft::heads_inside(d.v);
    d.out = Draft::heads_inside(d.out);
}

} // namespace

std::vector<Case> half_cases() {
    const Shape rows{2, 4, 2, 5, 31, 8, 6};
    const Shape mixed{2, 4, 2, 5, 9, 3, 6};
    const Shape longer{2, 4, 2, 5, 3, 5, 2};
    const Shape long_row{1, 1, 1, 1, 4096, 1, 2};
    const Shape two_keys{1, 2, 1, 2, 2, 64, 2};
    std::vector<Case> cases;
    for (const std::string type : {"f16", "bf16"}) {
        const std::string route = "attention_" + type;
        const std::string stored = route + "_stored";
        const std::string name = type == "f16" ? "float16" : "bfloat16";
        cases.push_back(make_case(route, type + "-quarter",
                                  "4096 equal logits, v = 1 on the first 1024 keys: 0.25, which " + name + " sums miss",
                                  long_row, equal_logits(1024)));
        cases.push_back(make_case(
            route, type + "-ones", "4096 equal logits, v = 1 everywhere: 1, unless one sum sticks", long_row,
            equal_logits(4096), type == "f16" ? "" : "in bfloat16 too, sums may stick one without the other"));
        cases.push_back(make_case(route, type + "-near-logits",
                                  "two logits 7.875 apart that " + name + " can't tell apart", two_keys, near_logits));
        cases.push_back(make_case(route, type + "-rows", "40 rows of 31 keys: the result has float32's digits", rows));
        cases.push_back(make_case(route, type + "-all",
                                  "mask, causal, scale, grouped heads, views and an empty row in " + name, mixed,
                                  everything, "the 16-bit routes keep every rule of the float32 one"));
        cases.push_back(make_case(
            route, type + "-causal-long", "causal with Lq > Lk in " + name, longer, [](Draft& d) { d.causal = true; },
            "empty rows in the 16-bit routes"));
        cases.push_back(make_case(
            route, type + "-large", "logits beyond the range of exp and a padding mask in " + name, mixed,
            [](Draft& d) {
                d.offset_rows([](std::int64_t i) { return i % 2 == 0 ? 100.0 : -120.0; });
                d.mask_randomly({true, false, false, true}, 0.7);
            },
            "the maximum is subtracted in the 16-bit routes too"));
        cases.push_back(make_case(stored, type + "-stored", "40 rows, rounded once to " + name, rows, {},
                                  type == "f16" ? "the storing route of float16" : ""));
        cases.push_back(make_case(stored, type + "-stored-all",
                                  "mask, causal, scale, grouped heads, views and an empty row, stored in " + name,
                                  mixed, everything, "the storing routes keep every rule as well"));
        cases.push_back(make_case(
            stored, type + "-stored-causal-long", "causal with Lq > Lk, stored in " + name, longer,
            [](Draft& d) { d.causal = true; }, "empty rows in the storing routes"));
    }
    return cases;
}

} // namespace assay::sdpa_judge
