// Wrong: dk and dv are assigned where they should be added to.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    bool adds(Index i, Index j) override { return P[at(i, j)] != 0; }
    void add_dk(Index i, Index j) override {
        for (Index d = 0; d < D(); ++d) dk(b, kv(), j, d) = factor() * dS[at(i, j)] * q_at(i, d);
    }
    void add_dv(Index i, Index j) override {
        for (Index d = 0; d < Dv(); ++d) dv(b, kv(), j, d) = P[at(i, j)] * dout_at(i, d);
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
