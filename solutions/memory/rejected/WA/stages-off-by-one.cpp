// Wrong: stage 1 is taken for the one that shards nothing.
// Level: training-state
#include "contract.hpp"

namespace memory {

state_bytes training_state(std::int64_t parameters, std::int64_t gpus, zero stage, bool fp32_gradients) {
    if (parameters < 0 || gpus < 1) return {};
    const auto all = static_cast<double>(parameters);
    const double share = all / static_cast<double>(gpus);
    state_bytes r;
    r.weights = 2 * (stage > zero::weights ? share : all);
    r.gradients = (fp32_gradients ? 4 : 2) * (stage > zero::gradients ? share : all);
    r.master = 4 * (stage > zero::optimizer ? share : all);
    r.moments = 8 * (stage > zero::optimizer ? share : all);
    r.total = r.weights + r.gradients + r.master + r.moments;
    r.total_gb = r.total / 1e9;
    return r;
}

} // namespace memory
