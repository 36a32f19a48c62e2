// Reverse-mode differentiation of what is written in the contract's Var.
#ifndef ASSAY_CORE_TAPE_HPP
#define ASSAY_CORE_TAPE_HPP

#include <assay/var.hpp>
#include <vector>

namespace assay {

/// The steps of one call. Numbers of steps go on rising from call to call, so that a Var kept from an earlier one is
/// noticed: using it throws std::logic_error.
class Tape final : public tape {
  public:
    long record(long a, double df_da, long b, double df_db) override;

    /// Forgets all steps, and with them the gradients.
    void clear();
    /// A Var that gradients are wanted for.
    Var leaf(double value);
    /// Derivatives of `result` with respect to every step. A constant has none: all gradients are 0.
    void run_backward(const Var& result);
    /// After run_backward.
    double gradient(const Var& leaf) const;

  private:
    struct Step {
        long a, b;
        double df_da, df_db;
    };
    std::vector<Step> steps_;
    std::vector<double> gradients_; // of steps; empty before run_backward
    long first_ = 0;                // number of steps_[0]
};

} // namespace assay

#endif
