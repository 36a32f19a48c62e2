// Levels forward and backward: one matmul.
#include "cases.hpp"
#include "cases_seeded.hpp"

#include <limits>

namespace assay::memory_judge {

std::vector<Case> forward_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Product& product, std::string stays = "") {
        cases.push_back(make_case(std::move(id), std::move(why), forward_of(product), std::move(stays)));
    };
    add("small", "15, 35 and 21 elements of 2 bytes", {3, 5, 7});
    add("negative", "k = -3 is out of range: nothing is set", {5, -3, 7});
    add("float32", "elements of 4 bytes", {3, 5, 7, 32});
    add("twelve-bit", "elements of a byte and a half", {3, 5, 7, 12});
    add("four-bit", "45, 27 and 15 elements of half a byte", {5, 9, 3, 4}, "whole bytes give 0 here");
    add("cube-65536", "2^32 elements and 8 GiB in each tensor", {65536, 65536, 65536});
    add("past-64-bit", "1.2e19 elements: more than a 64-bit integer counts", {3000000007, 4000000009, 5});
    add("two-negatives", "m · k is positive, and both are out of range", {-5, -3, 7},
        "a check of products alone passes it");
    add("no-bits", "an element of 0 bits is out of range", {5, 3, 7, 0}, "the lower edge of `bits`");
    add("one-bit", "an element of 1 bit is in range", {8, 3, 7, 1}, "the lower edge of `bits`");
    add("empty", "m = 0 is in range: X and Y have no bytes", {0, 3, 7}, "0 is a count like another");
    add("smallest-integer", "m is the smallest 64-bit integer", {std::numeric_limits<std::int64_t>::min(), 3, 7},
        "negating it overflows");
    cases.push_back(seeded("forward-seeded", forward_drawn));
    return cases;
}

std::vector<Case> backward_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Product& product, std::int64_t policy, bool dx_first,
                         std::string stays = "") {
        cases.push_back(
            make_case(std::move(id), std::move(why), backward_of(product, policy, dx_first), std::move(stays)));
    };
    const Product small{3, 5, 7}, cube{65536, 65536, 65536};
    const std::string named = "the figures of the statement";
    add("all-kept", "nothing is freed: six tensors at the end", small, keep_all, false);
    add("y-freed", "Y is gone before the backward pass begins", small, free_y, false);
    add("x-freed", "X is gone once dW is there", small, free_x, false);
    add("x-freed-last", "dX first: X is needed to the end", small, free_x, true);
    add("y-freed-dx-first", "dX first, X stays", small, free_y, true, "the order by itself, X the caller's");
    add("all-kept-dx-first", "dX first, nothing is freed", small, keep_all, true, "the order by itself, all kept");
    add("cube-all-kept", "65536 cubed, 16 bits: 48 GiB", cube, keep_all, false, named);
    add("cube-y-freed", "65536 cubed: 40 GiB", cube, free_y, false, named);
    add("cube-x-freed", "65536 cubed: 32 GiB", cube, free_x, false, named);
    add("backward-empty", "n = 0: W, Y and their gradients have no bytes", {3, 5, 0}, free_x, false,
        "0 is a count like another");
    add("backward-past-64-bit", "more elements than a 64-bit integer counts", {3000000007, 4000000009, 5}, free_y,
        false, "the sum of six such tensors");
    add("backward-negative", "n = -1 is out of range: nothing is set", {3, 5, -1}, free_y, false,
        "the check belongs to every function");
    cases.push_back(seeded("backward-seeded", backward_drawn));
    return cases;
}

} // namespace assay::memory_judge
