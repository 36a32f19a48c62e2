#include "worker/gradient.hpp"

namespace assay {

Tape& the_tape() {
    static Tape tape;
    return tape;
}

} // namespace assay
