// Wrong: dk and dv are set to 0 by the first query that attends the key, and so not at all where none does.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    std::vector<char> begun; // (B, Hkv, Lk)
    void begin() override {
        fill_with_zeros(dq);
        begun.assign(k.extent(0) * Hkv() * Lk(), 0);
    }
    bool adds(Index i, Index j) override {
        if (!may_attend(i, j)) return false;
        char& was_here = begun[(b * Hkv() + kv()) * Lk() + j];
        for (Index d = 0; d < D() && !was_here; ++d) dk(b, kv(), j, d) = 0;
        for (Index d = 0; d < Dv() && !was_here; ++d) dv(b, kv(), j, d) = 0;
        was_here = 1;
        return true;
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
