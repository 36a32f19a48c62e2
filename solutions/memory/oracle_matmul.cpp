// One matmul: its forward pass, its backward pass, and its shares on several GPUs.
#include "oracle.hpp"

#include <algorithm>

namespace assay::memory_judge {

namespace {

struct Sizes {
    double x, w, y; // bytes
};

Sizes sizes_of(const Problem& problem, const Slips& on) {
    const std::int64_t m = problem.integer("m"), k = problem.integer("k"), n = problem.integer("n");
    const double bytes = bytes_of(problem.integer("bits"), on);
    return {elements(m, k, on) * bytes, elements(k, n, on) * bytes, elements(m, n, on) * bytes};
}

bool is_product(const Problem& problem) {
    return all_at_least(problem, 0, {"m", "k", "n"}) && all_at_least(problem, 1, {"bits"});
}

} // namespace

Truths forward(const Problem& problem, const Slips& on) {
    const Sizes size = sizes_of(problem, on);
    const double total = size.x + size.w + (on("output-forgotten") ? 0 : size.y);
    return answered(Items()
                        .number("x", size.x, "B")
                        .number("w", size.w, "B")
                        .number("y", size.y, "B")
                        .number("total", total, "B")
                        .number("total_gib", in_gib(total, on), "GiB"),
                    is_product(problem), on);
}

Truths backward(const Problem& problem, const Slips& on) {
    const Sizes size = sizes_of(problem, on);
    const std::int64_t policy = problem.integer("policy"); // 0 keep_all, 1 free_y, 2 free_x
    const bool frees = policy > 0, frees_x = policy == 2 || (policy == 1 && on("callers-x-freed"));
    const bool dx_first = problem.flag("dx_first") && !on("order-ignored");

    const double dy = on("dy-forgotten") ? 0 : size.y, dw = on("dw-forgotten") ? 0 : size.w,
                 dx = on("dx-forgotten") ? 0 : size.x;
    const double y = !frees || on("y-kept") ? size.y : 0;
    const double x = frees_x && !on("x-kept") ? 0 : size.x; // once dW is there
    const double first = size.w + y + dy;                   // there all the time, beside X
    const double while_dw = size.x + first + dw + (dx_first ? dx : 0);
    const double while_dx = dx_first ? size.x + first + dx : x + first + dw + dx;
    const double after = x + size.w + y + (frees && !on("dy-kept") ? 0 : dy) + dw + dx;
    double peak = std::max(while_dw, while_dx);
    if (on("ever-live")) peak = size.x + first + dw + dx;
    // Taking what is freed from the sum of all is right as well, and loses roundings of that sum.
    const double all = 2 * (size.x + size.w + size.y);
    return answered(Items()
                        .number("while_dw", while_dw, "B", 32, all)
                        .number("while_dx", while_dx, "B", 32, all)
                        .number("after", after, "B", 32, all)
                        .number("peak", peak, "B", 32, all)
                        .number("peak_gib", in_gib(peak, on), "GiB", 32, in_gib(all, on)),
                    is_product(problem), on);
}

Truths split_matmul(const Problem& problem, const Slips& on) {
    const Sizes size = sizes_of(problem, on);
    const double gpus = count(problem, "gpus");
    const std::int64_t by = problem.integer("by"); // 0 column, 1 row, 2 pipeline
    double x = size.x, w = size.w, y = size.y, sent = 0;
    const double ring = (gpus - 1) / gpus * size.y; // one pass round the ring
    const double reduced = on("all-reduce-once") ? ring : 2 * ring;
    if (by == 0) {
        if (on("column-splits-input")) x /= gpus;
        w /= gpus;
        y /= gpus;
        sent = on("gather-as-reduce") ? reduced : ring;
    } else if (by == 1) {
        x /= gpus;
        w /= gpus;
        if (on("partial-sums-split")) y /= gpus;
        sent = reduced;
    } else {
        if (on("pipeline-splits-matmul")) w /= gpus;
        sent = gpus > 1 ? size.y : 0;
    }
    return answered(Items()
                        .number("x", x, "B")
                        .number("w", w, "B")
                        .number("y", y, "B")
                        .number("total", x + w + (on("output-forgotten") ? 0 : y), "B")
                        .number("sent", sent, "B"),
                    is_product(problem) && all_at_least(problem, 1, {"gpus"}), on);
}

} // namespace assay::memory_judge
