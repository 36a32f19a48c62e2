#include "core/tape.hpp"

#include <stdexcept>

namespace assay {

long Tape::record(long a, double df_da, long b, double df_db) {
    for (const long parent : {a, b})
        if (parent >= 0 && parent < first_)
            throw std::logic_error(
                "a Var of an earlier call is used: each call starts afresh, keep none between calls");
    steps_.push_back({a, b, df_da, df_db});
    return first_ + static_cast<long>(steps_.size()) - 1;
}

void Tape::clear() {
    first_ += static_cast<long>(steps_.size());
    steps_.clear();
    gradients_.clear();
}

Var Tape::leaf(double value) { return Var(value, this, record(-1, 0, -1, 0)); }

void Tape::run_backward(const Var& result) {
    gradients_.assign(steps_.size(), 0);
    if (result.steps() != this || result.step() < first_) return;
    // Steps that the result does not depend on are left out: a value that is never selected may be NaN.
    std::vector<char> reached(steps_.size(), 0);
    const auto last = static_cast<std::size_t>(result.step() - first_);
    if (last >= steps_.size()) throw std::logic_error("the Var returned is no step of this call");
    gradients_[last] = 1;
    reached[last] = 1;
    for (std::size_t i = last + 1; i-- > 0;) {
        if (reached[i] == 0) continue;
        const Step& step = steps_[i];
        const auto pass = [&](long parent, double partial) {
            if (parent < 0) return;
            const auto at = static_cast<std::size_t>(parent - first_);
            reached[at] = 1;
            gradients_[at] += gradients_[i] * partial; // 0 * inf is NaN here, as it is in autograd libraries
        };
        pass(step.a, step.df_da);
        pass(step.b, step.df_db);
    }
}

double Tape::gradient(const Var& leaf) const {
    const auto at = static_cast<std::size_t>(leaf.step() - first_);
    return at < gradients_.size() ? gradients_[at] : 0;
}

} // namespace assay
