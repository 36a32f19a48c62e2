// Wrong: only the first query head of a group adds to dk.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void add_dk(Index i, Index j) override {
        if (first_of_group()) Backward::add_dk(i, j);
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
