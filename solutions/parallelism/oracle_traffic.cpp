// Level 4: the bytes of the layer. Products pass 2^63: everything is float64 from the start.
#include "core/items.hpp"
#include "oracle.hpp"

#include <assay/unset.hpp>

namespace assay::parallelism_judge {

namespace {

/// What a candidate's product is: exact as far as float64 goes, or wrapped where it is made in 64-bit integers.
double product(const Slips& on, double a, double b, double bytes) {
    if (!on("int64-product")) return a * b * bytes;
    const auto whole = [](double x) { return static_cast<std::uint64_t>(x); };
    const std::uint64_t inside = on("int64-product", 0) ? whole(bytes) : 1;
    const auto wrapped = static_cast<std::int64_t>(whole(a) * whole(b) * inside);
    return static_cast<double>(wrapped) * (on("int64-product", 0) ? 1 : bytes);
}

} // namespace

Truths traffic_truths(const Problem& problem, const Slips& on) {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    double weights = unset, activations = unset, all_reduce = unset, all_gather = unset, reduce_scatter = unset,
           both = unset, gathered = unset, rows_first = unset;
    bool valid = true;
    for (const char* name : {"tokens", "d_model", "hidden", "ranks", "element_bytes"})
        valid = valid && problem.integer(name) >= 1 && problem.integer(name) <= most;
    if (valid) {
        const std::int64_t f = problem.integer("hidden"), n = problem.integer("ranks");
        const auto T = static_cast<double>(problem.integer("tokens")),
                   d = static_cast<double>(problem.integer("d_model"));
        const auto ranks = static_cast<double>(n), hidden = static_cast<double>(f);
        const double e = on("float32-assumed") ? 4 : static_cast<double>(problem.integer("element_bytes"));
        double width = static_cast<double>(f / n + (f % n != 0 ? 1 : 0));
        if (on("padding-not-counted")) width = hidden / ranks;
        if (on("weights-whole")) width = hidden;
        weights = product(on, 2 * d + 1, width, e) + e * (on("output-bias-split") ? d / ranks : d);
        activations = product(on, T, on("hidden-reduced") ? hidden : d, e);
        const double steps = on("ring-factor-forgotten") ? 1 : static_cast<double>(n - 1) / ranks;
        all_reduce = 2 * steps * activations;
        if (on("all-reduce-once")) all_reduce = steps * activations;
        if (on("all-reduce-divided")) all_reduce /= ranks;
        all_gather = reduce_scatter = steps * activations;
        both = all_gather + reduce_scatter;
        gathered = on("gathers-own-only") ? steps * activations : steps * ranks * activations;
        const double passes = (on("all-reduce-once") ? 1 : 2) / (on("all-reduce-divided") ? ranks : 1);
        rows_first = passes * steps * product(on, T, hidden, e);
        if (!on("second-collective-forgotten")) rows_first += steps * product(on, T, d, e);
    }
    return Items()
        .number("weights", weights, "B")
        .number("activations", activations, "B")
        .number("all_reduce", all_reduce, "B")
        .number("all_gather", all_gather, "B")
        .number("reduce_scatter", reduce_scatter, "B")
        .number("sequence", both, "B")
        .number("gathered_sums", gathered, "B")
        .number("rows_first", rows_first, "B")
        .take();
}

} // namespace assay::parallelism_judge
