// Wrong: dq and dk are written to each other, wherever their shapes let that pass.
// Level: gradients
#include "backward.hpp"

namespace sdpa {

struct Mistaken : Backward {
    void begin() override {
        Backward::begin();
        if (Lq() == Lk() && Hq() == Hkv()) std::swap(dq, dk);
    }
};

} // namespace sdpa

BACKWARD_BY(Mistaken)
