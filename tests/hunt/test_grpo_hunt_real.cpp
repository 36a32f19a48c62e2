// The program of the hunt grpo as a candidate gets it (real_checks.hpp).
#include "hunt/real_checks.hpp"

using namespace assay;
using hunting::Hunting;

namespace {

const Hunting& grpo() {
    static const Hunting one("grpo");
    return one;
}

} // namespace

TEST_CASE("grpo's hunt: both languages have the same slots and fragments") { hunting::expect_same_slots(grpo()); }

TEST_CASE("grpo's hunt: pasted programs are short, and name neither slots nor bugs") {
    hunting::expect_plain_texts(grpo());
}

TEST_CASE("grpo's hunt: hunts drawn by seeds are built, counted, and pass once they are mended") {
    hunting::expect_mended(grpo());
}

TEST_CASE("grpo's hunt: every fragment alone behaves in Python as in the model") {
    hunting::expect_python_like_model(grpo());
}

TEST_CASE("grpo's hunt: every fragment alone compiles without warnings") { hunting::expect_no_warnings(grpo()); }
