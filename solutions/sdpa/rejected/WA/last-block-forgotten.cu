// Wrong: the grid's size is rounded down, so that rows after the last whole block have no thread.
// Level: heads-and-views
// Told: unwritten-output
#include "attention.cuh"

namespace {

struct Choices : wrong::Right {
    static wrong::Index blocks(wrong::Index rows, wrong::Index threads) { return rows < threads ? 1 : rows / threads; }
};

} // namespace

ASSAY_WRONG_ATTENTION(Choices, attention, float, float)
