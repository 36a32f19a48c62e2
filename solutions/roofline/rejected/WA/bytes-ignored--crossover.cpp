// Wrong: weights balance at the ridge, which holds for 2 bytes.
// Level: crossover
#include "contract.hpp"

namespace roofline {

namespace {

bool is_rate(double x) { return x > 0 && x < __builtin_inf(); }
bool is_valid(const ffn& l, const chip& c) {
    return l.tokens >= 0 && l.d_model >= 1 && l.hidden >= 1 && l.gpus >= 1 && is_rate(c.dense_tflops) &&
           is_rate(c.sparse_tflops) && is_rate(c.memory_tb) && is_rate(c.link_gb);
}

} // namespace

balance cross(ffn layer, chip gpu, std::int64_t bytes_per_element) {
    if (!is_valid(layer, gpu) || bytes_per_element < 1) return {};
    const double T = double(layer.tokens), d = double(layer.d_model), f = double(layer.hidden), n = double(layer.gpus);
    const double b = double(bytes_per_element);
    balance x;
    x.ridge = gpu.dense_tflops / gpu.memory_tb;
    x.intensity = 4 * T * d * f / n / (2 * d * f * b / n + T * (2 * d + f) * b);
    x.binds = x.intensity >= x.ridge ? resource::compute : resource::memory;
    x.weight_tokens = x.ridge;
    x.activation_share = x.ridge * b / 2 * n * (2 * d + f) / (2 * d * f);
    x.crossover = x.activation_share < 1 ? x.weight_tokens / (1 - x.activation_share) : __builtin_inf();
    x.least_tokens = __builtin_ceil(x.crossover);
    return x;
}

} // namespace roofline
