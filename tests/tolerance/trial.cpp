#include "trial.hpp"

#include "core/registry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace assay::tolerance {

Truth truth_of(const Problem& problem) {
    const Exercise* exercise = find_exercise("sdpa");
    if (exercise == nullptr) throw std::logic_error("no exercise sdpa");
    std::optional<Truths> truths = exercise->oracle(problem, "", 0);
    if (!truths || truths->size() != 1) throw std::logic_error("sdpa's oracle gives one output");
    return std::move(truths->front());
}

double share_of_bound(const Variant& variant, const Data& data, const std::vector<double>& value,
                      const std::vector<double>& bound) {
    std::vector<float> out(data.shape.rows * data.shape.Dv, std::numeric_limits<float>::quiet_NaN());
    variant.run(data.head(), out.data());
    double worst = 0;
    for (std::size_t n = 0; n < out.size(); ++n) {
        const double error = std::fabs(static_cast<double>(out[n]) - value[n]);
        if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
        if (error > 0) worst = std::max(worst, error / bound[n]);
    }
    return worst;
}

bool long_mode() {
    const char* asked = std::getenv("ASSAY_LONG");
    return asked != nullptr && *asked != '\0' && *asked != '0';
}

} // namespace assay::tolerance
