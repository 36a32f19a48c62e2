// Problems of the way back, and how much of the bound a variant uses on one.
#include "backward.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::tolerance {

std::vector<float> dout_for(const Data& data, std::uint64_t seed) {
    Random random(seed, "dout");
    std::vector<float> dout(data.shape.rows * data.shape.Dv);
    for (float& x : dout) x = static_cast<float>(random.normal());
    return dout;
}

Problem backward_problem(const Data& data, const std::vector<float>& dout) {
    Problem problem = data.problem();
    problem.route = "attention_backward";
    const Array out = problem.array("out");
    problem.fields.pop_back();
    problem.fields.push_back({"dout",
                              Array::of(Dtype::f32, out.extents, std::vector<double>(dout.begin(), dout.end())),
                              {"B", "Hq", "Lq", "Dv"}});
    for (const char* name : {"q", "k", "v"}) {
        const Field like = *problem.find(name);
        problem.fields.push_back(
            {std::string("d") + name, Array::zeros(Dtype::f32, std::get<Array>(like.value).extents), like.axes});
    }
    return problem;
}

double share_of_bound(const BackwardVariant& variant, const Data& data, const std::vector<float>& dout,
                      const Truths& truths) {
    Gradients got(data.shape);
    variant.run(data.head(), dout.data(), got);
    const std::vector<float>* outputs[] = {&got.dq, &got.dk, &got.dv};
    double worst = 0;
    for (std::size_t which = 0; which < 3; ++which)
        for (std::size_t n = 0; n < outputs[which]->size(); ++n) {
            const double error = std::fabs(static_cast<double>((*outputs[which])[n]) - truths[which].value[n]);
            if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
            if (error > 0) worst = std::max(worst, error / truths[which].bound[n]);
        }
    return worst;
}

} // namespace assay::tolerance
