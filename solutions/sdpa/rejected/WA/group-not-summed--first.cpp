// Wrong: only the first query head of a group adds to dk and dv.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void add_dk(Index i, Index j) override {
        if (first_of_group()) Backward::add_dk(i, j);
    }
    void add_dv(Index i, Index j) override {
        if (first_of_group()) Backward::add_dv(i, j);
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
