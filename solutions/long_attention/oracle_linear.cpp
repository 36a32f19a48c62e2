// Level linear: elu(x) + 1 as feature map (Katharopoulos et al., "Transformers are RNNs", ICML 2020, section 3.2
// to 3.4).
#include "oracle.hpp"
#include "oracle_state.hpp"

namespace assay::long_attention_judge {

namespace {

constexpr double u = float32_unit;

void map(double x, double eps, bool identity, const Slips& on, Features& to) {
    double f = x > 0 ? x + 1 : std::exp(x), E = x > 0 ? u * f : u * (1 + 2 * f);
    if (on("features-without-one")) f = x > 0 ? x : std::expm1(x), E = 2 * u * std::fabs(f);
    if (on("features-relu")) f = std::max(x, 0.0), E = 0;
    if (on("features-exp")) f = std::exp(x), E = 2 * u * f;
    if (identity) f = x, E = 0;
    if (on("eps-on-features")) f += eps, E += u * std::fabs(f);
    if (on("scale-applied")) E += 3 * u * std::fabs(x) * std::max(1.0, std::exp(x)); // the product, through the map
    to.add(f, E);
}

} // namespace

std::optional<Truths> linear(const Problem& problem, const Slips& on) {
    const Inputs<double> in(problem);
    const double eps = static_cast<double>(static_cast<float>(problem.number_or("eps", 0)));
    const double scale = on("scale-applied") ? 1 / std::sqrt(static_cast<double>(in.D)) : 1;
    Mapped features;
    for (std::size_t row = 0; row < in.H * in.L; ++row) {
        features.q.emplace_back();
        features.k.emplace_back();
        for (std::size_t d = 0; d < in.D; ++d) {
            map(scale * in.q[row * in.D + d], eps, on("features-of-one-side", 0), on, features.q.back());
            map(in.k[row * in.D + d], eps, on("features-of-one-side", 1), on, features.k.back());
        }
    }
    return through_state(problem, in, features, eps, on);
}

} // namespace assay::long_attention_judge
