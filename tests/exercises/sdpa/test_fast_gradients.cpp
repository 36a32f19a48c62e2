// The fast solution's gradients where the levels' shapes do not reach: beyond one block of keys, one stripe of rows,
// one part of a head; and the same bits from any number of threads.
#include "../../../exercises/sdpa/cases.hpp"
#include "exercises/sdpa/fast.hpp"
#include "judge/compare.hpp"

using namespace assay;
using namespace assay::sdpa_test;
using sdpa_judge::Draft;

namespace {

Problem backward(const char* id, const sdpa_judge::Shape& shape, const std::function<void(Draft&)>& change = {}) {
    Draft draft("attention_backward", shape, 3, id);
    if (change) change(draft);
    return draft.problem();
}

/// Each longer than the blocks of either instruction set in every dimension, or one short of them.
std::vector<std::pair<std::string, Problem>> long_problems() {
    std::vector<std::pair<std::string, Problem>> all;
    const sdpa_judge::Shape grouped{1, 4, 2, 131, 259, 40, 24};
    all.emplace_back("grouped", backward("grouped", grouped));
    all.emplace_back("causal", backward("causal", grouped, [](Draft& d) { d.causal = true; }));
    all.emplace_back("causal, more rows than keys",
                     backward("tall", {1, 2, 1, 259, 131, 17, 33}, [](Draft& d) { d.causal = true; }));
    all.emplace_back("masked, some rows and keys with nothing", backward("masked", grouped, [](Draft& d) {
                         d.mask_by(sdpa_judge::full_mask, [&](auto, auto h, auto i, auto j) {
                             return i != 7 * h && j != 200 && d.random.chance(0.4);
                         });
                     }));
    all.emplace_back("views of every kind", backward("views", grouped, [](Draft& d) {
                         d.q = Draft::heads_inside(d.q);
                         d.k = Draft::features_first(d.k);
                         d.v = Draft::stepped(d.v, 2);
                         d.dout = Draft::repeated(d.dout, 1);
                         d.dq = Draft::features_first(d.dq);
                         d.dk = Draft::heads_inside(d.dk);
                         d.dv = Draft::stepped(d.dv, 3);
                     }));
    all.emplace_back("parts of a head", backward("parts", {1, 3, 1, 600, 70, 8, 9}));
    all.emplace_back("one row a head", backward("decode", {2, 6, 2, 1, 700, 64, 64}));
    all.emplace_back("one feature", backward("narrow", {1, 1, 1, 97, 121, 1, 1}));
    return all;
}

} // namespace

TEST_CASE("fast gradients are right beyond one block, one stripe and one part") {
    Fast fast;
    for (const auto& [what, problem] : long_problems()) {
        INFO(what);
        CHECK(worst_ratio(fast.answer(problem), *sdpa().oracle(problem, "", 0)) <= 1);
    }
}

TEST_CASE("what lies behind a mask does not leak into fast gradients") {
    Problem problem = backward("behind", {1, 4, 2, 40, 259, 24, 20}, [](Draft& d) {
        d.mask_by({false, false, false, true}, [](auto, auto, auto, auto j) { return j % 5 != 2; });
    });
    const Outputs before = Fast().answer(problem);
    for (const char* name : {"k", "v"}) {
        Array& array = std::get<Array>(problem.find(name)->value);
        for_each_index(array.extents, [&](const Index& at) {
            if (at[2] % 5 == 2) array.set(at, at[2] % 2 == 0 ? std::nan("") : -INFINITY);
        });
    }
    const Outputs after = Fast().answer(problem);
    for (const char* name : {"dq", "dk", "dv"}) CHECK(before.find(name)->values() == after.find(name)->values());
}

TEST_CASE("fast gradients are the same bits from one thread and from two") {
    Fast one(1), two(2);
    for (const auto& [what, problem] : long_problems()) {
        INFO(what);
        const Outputs a = one.answer(problem), b = two.answer(problem);
        for (const char* name : {"dq", "dk", "dv"}) CHECK(a.find(name)->values() == b.find(name)->values());
    }
}
