// A mean of rows' relative errors.
// Level: error
#include "errors.hpp"

namespace long_attention {

struct Mistaken : Errors {
    using Errors::Errors;
    void add_row(double row_apart, double row_norm) override {
        apart += std::sqrt(row_apart / row_norm);
        norm += 1;
    }
    double relative() const override { return apart / norm; }
};

} // namespace long_attention

COMPARE_BY(Mistaken)
