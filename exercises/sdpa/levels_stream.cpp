// The script of level streaming: which calls one streaming problem takes.
#include "cases.hpp"
#include "oracle.hpp"

namespace assay::sdpa_judge {

namespace {

/// Elements [from, from + count) of `axis`, in the same memory and with the same strides.
Array slice(const Array& array, std::size_t axis, std::int64_t from, std::int64_t count) {
    Array part = array;
    part.offset += count == 0 ? 0 : from * array.strides[axis];
    part.extents[axis] = count;
    return part;
}

} // namespace

Outcome<Outputs> stream(Caller& caller, const Problem& problem) {
    const Array& q = problem.array("q");
    const Array& k = problem.array("k");
    const Array& v = problem.array("v");
    const Array& mask = problem.array("mask");
    const double scale = problem.number_or("scale", 1);
    // Rows of the state lie three floats apart, so that its strides count too.
    Array state = Array::zeros(Dtype::f32, {q.extents[0], v.extents[1] + 7});
    state.extents[1] -= 3;
    const Blocking blocks = blocking(problem);

    std::vector<Array> states;
    for (int n = 0; n < (blocks.merges ? 2 : 1); ++n) {
        Outcome<std::vector<Array>> begun = caller.call("begin", std::array{Argument{state, Mode::out}});
        if (!begun) return begun.failure();
        states.push_back(std::move(begun->front()));
    }
    std::size_t live = 0;
    std::int64_t from = 0;
    for (std::size_t n = 0; n <= blocks.lengths.size(); ++n) {
        if (blocks.merges && n == blocks.first) live = 1;
        if (blocks.merges && n == blocks.first + blocks.second) {
            live = blocks.into_second ? 1 : 0;
            Outcome<std::vector<Array>> merged = caller.call(
                "merge", std::array{Argument{states[live], Mode::inout}, Argument{states[1 - live], Mode::in}});
            if (!merged) return merged.failure();
            states[live] = std::move(merged->front());
        }
        if (n == blocks.lengths.size()) break;
        const std::int64_t count = blocks.lengths[n];
        Outcome<std::vector<Array>> absorbed =
            caller.call("absorb", std::array{Argument{states[live], Mode::inout}, Argument{q},
                                             Argument{slice(k, 0, from, count)}, Argument{slice(v, 0, from, count)},
                                             Argument{slice(mask, 1, from, count)}, Argument{scale}});
        if (!absorbed) return absorbed.failure();
        states[live] = std::move(absorbed->front());
        from += count;
    }
    Outcome<std::vector<Array>> finished =
        caller.call("finish", std::array{Argument{states[live], Mode::in}, Argument{problem.array("out"), Mode::out}});
    if (!finished) return finished.failure();
    Outputs outputs;
    outputs.arrays.emplace_back("out", std::move(finished->front()));
    return outputs;
}

} // namespace assay::sdpa_judge
