// The script of level schedules, and what makes a problem a valid question.
#include "cases.hpp"
#include "oracle_schedule.hpp"

#include <array>

namespace assay::parallelism_judge {

namespace {

/// Whether all ranks hold the same.
bool is_shared(const Array& array) {
    const std::vector<double> values = array.values();
    const std::size_t one = values.size() / static_cast<std::size_t>(array.extents[0]);
    for (std::size_t k = one; k < values.size(); ++k)
        if (values[k] != values[k - one]) return false;
    return true;
}

bool has_all(const Problem& problem, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (!problem.has(name)) return false;
    return true;
}

bool valid_shard(const Problem& problem) {
    if (!has_all(problem, {"ranks", "w1", "b1", "w2", "w1_part", "b1_part", "w2_part"})) return false;
    const Array& w1 = problem.array("w1");
    const std::int64_t n = problem.integer("ranks"), d = w1.extents[1], f = w1.extents[2];
    if (n < 1 || w1.extents[0] != n || d < 1 || f < 1) return false;
    const std::int64_t width = (f + n - 1) / n;
    return problem.array("b1").extents == Index{n, f} && problem.array("w2").extents == Index{n, f, d} &&
           problem.array("w1_part").extents == Index{n, d, width} &&
           problem.array("b1_part").extents == Index{n, width} &&
           problem.array("w2_part").extents == Index{n, width, d} && is_shared(w1) && is_shared(problem.array("b1")) &&
           is_shared(problem.array("w2"));
}

bool valid_layer(const Problem& problem, const char* x_name, const char* y_name) {
    if (!has_all(problem, {"ranks", x_name, "w1_part", "b1_part", "w2_part", "b2", y_name})) return false;
    const Array &x = problem.array(x_name), &w1 = problem.array("w1_part");
    const std::int64_t n = problem.integer("ranks"), d = x.extents[2], width = w1.extents[2];
    if (n < 1 || x.extents[0] != n || x.extents[1] < 1 || d < 1 || width < 1) return false;
    return w1.extents == Index{n, d, width} && problem.array("b1_part").extents == Index{n, width} &&
           problem.array("w2_part").extents == Index{n, width, d} && problem.array("b2").extents == Index{n, d} &&
           problem.array(y_name).extents == x.extents && is_shared(problem.array("b2")) &&
           (problem.route == "sequence" || is_shared(x));
}

} // namespace

bool valid(const Problem& problem) {
    if (problem.route == "shard") return valid_shard(problem);
    if (problem.route == "forward") return valid_layer(problem, "x", "y");
    if (problem.route == "sequence") return valid_layer(problem, "x_part", "y_part");
    if (problem.route == "count_traffic")
        return has_all(problem, {"tokens", "d_model", "hidden", "ranks", "element_bytes"});
    if (problem.route == "count_bubble")
        return has_all(problem, {"kind", "stages", "micro_batches", "stage", "forward_time", "backward_time",
                                 "activation_bytes", "of"});
    if (problem.route != "write_schedule" || !has_all(problem, {"kind", "stages", "micro_batches", "order"}))
        return false;
    const std::int64_t kind = problem.integer("kind"), p = problem.integer("stages"),
                       m = problem.integer("micro_batches");
    return (kind == 0 || kind == 1) && p >= 1 && m >= 1 && problem.array("order").extents == Index{p, 2 * m};
}

Outcome<Outputs> play_schedule(Caller& caller, const Problem& problem) {
    const std::int64_t m = problem.integer("micro_batches");
    Outcome<std::vector<Array>> written = caller.call(
        "write_schedule", std::array{Argument{problem.find("kind")->value}, Argument{problem.find("stages")->value},
                                     Argument{m}, Argument{problem.array("order"), Mode::out}});
    if (!written) return written.failure();
    const Array& order = written->front();
    Orders orders(static_cast<std::size_t>(order.extents[0]));
    for (std::int64_t s = 0; s < order.extents[0]; ++s)
        for (std::int64_t i = 0; i < order.extents[1]; ++i) {
            const double entry = order.at({s, i}); // what no operation is stays none: the bounds below are narrower
            const bool fits = entry >= -static_cast<double>(m) && entry <= static_cast<double>(m);
            orders[static_cast<std::size_t>(s)].push_back(fits ? static_cast<std::int64_t>(entry) : 0);
        }
    Played played = play(orders, m);
    if (played.fault != Fault::none) played.peak.assign(orders.size(), 0);
    Outputs outputs;
    for (const Truth& one : outcome_of(played))
        outputs.arrays.emplace_back(one.name, Array::of(one.dtype, one.extents, one.value));
    return outputs;
}

} // namespace assay::parallelism_judge
