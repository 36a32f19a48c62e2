// Numbers in Python's hands are the judge's: Var differentiates as the C++ one does, 16-bit storage rounds alike.
#include "sandbox/process.hpp"
#include "core/dtype.hpp"
#include "core/random.hpp"
#include "core/tape.hpp"
#include "python/toy.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

using namespace toy_python;

namespace {

/// What a script prints that may import the runtime.
std::string printed_by(const std::string& script) {
    const TemporaryFolder folder = std::move(*TemporaryFolder::make(fs::temp_directory_path()));
    REQUIRE(write_file(folder.path() / "script.py",
                       fmt::format("import sys\nsys.path.insert(0, r'{}/harness/python/runtime')\n", ASSAY_SOURCE_DIR) +
                           script));
    Command command{{find_interpreter()->program.native(), "-I", "-S", "-B", (folder.path() / "script.py").native()},
                    clean_environment(),
                    {},
                    {},
                    {}};
    const Outcome<Ended> ended = run(command, std::chrono::seconds(60));
    REQUIRE(ended.ok());
    INFO(ended->output);
    REQUIRE(ended->exit_code == 0);
    return ended->output;
}

/// A computation of two numbers, as both languages write it.
#define ASSAY_COMPUTATIONS(ONE)                                                                                        \
    ONE(x + y * 2)                                                                                                     \
    ONE(2 - x / y)                                                                                                     \
    ONE(1 / x - -y)                                                                                                    \
    ONE(exp(x) * log(y))                                                                                               \
    ONE(log(x))                                                                                                        \
    ONE(exp(x * 1000))                                                                                                 \
    ONE(min(x, y) + 3 * max(x, y))                                                                                     \
    ONE(min(x, x.detach()) * y)                                                                                        \
    ONE(clamp(x, 0.5, 2) * clamp(y, -1, x.value()))                                                                    \
    ONE(x.detach() * y + x * y.value())                                                                                \
    ONE(exp(x - x.detach()) * y)                                                                                       \
    ONE(max(x, 0 * y) / x)                                                                                             \
    ONE(x / 0)                                                                                                         \
    ONE(x * 0 + 4)

std::string shown(double value) {
    if (std::isnan(value)) return "nan";
    return fmt::format("{:016x}", __builtin_bit_cast(std::uint64_t, value));
}

} // namespace

TEST_CASE("a Var of Python's has the value and the gradients of the C++ one, bit for bit") {
    if (!there()) return;
    const std::vector<std::pair<double, double>> points{{0.7, 1.3}, {2, 2}, {-1.5, 0.25}, {0, 3}, {1e-300, -4}};
    std::string script =
        "import math, struct\nfrom assay import Var, clamp, exp, log, max, min\nfrom assay.var import tape\n"
        "def shown(v):\n    return 'nan' if math.isnan(v) else format(struct.unpack('<Q', "
        "struct.pack('<d', v))[0], '016x')\n"
        "def play(f, a, b):\n    tape.clear()\n    x, y = tape.leaf(a), tape.leaf(b)\n    r = f(x, y)\n"
        "    tape.run_backward(r)\n"
        "    print(shown(r.value()), shown(tape.gradient(x)), shown(tape.gradient(y)))\n";
    std::string expected;
    for (const auto& [a, b] : points) {
#define ASSAY_PLAY(computation)                                                                                        \
    {                                                                                                                  \
        script += fmt::format("play(lambda x, y: {}, {:.17g}, {:.17g})\n", #computation, a, b);                        \
        Tape tape;                                                                                                     \
        const Var x = tape.leaf(a), y = tape.leaf(b);                                                                  \
        const Var r = computation;                                                                                     \
        tape.run_backward(r);                                                                                          \
        expected += fmt::format("{} {} {}\n", shown(r.value()), shown(tape.gradient(x)), shown(tape.gradient(y)));     \
    }
        ASSAY_COMPUTATIONS(ASSAY_PLAY)
    }
    CHECK(printed_by(script) == expected);
}

TEST_CASE("a Var kept from an earlier call is refused, and so is one taken for a float") {
    if (!there()) return;
    const std::string out = printed_by("import math\nfrom assay import Var, exp\nfrom assay.var import tape\n"
                                       "old = tape.leaf(1.0)\ntape.clear()\n"
                                       "for wrong in (lambda: old + 1, lambda: math.exp(old), lambda: bool(old)):\n"
                                       "    try:\n        wrong()\n        print('taken')\n"
                                       "    except (ValueError, TypeError) as error:\n        print(error)\n");
    CHECK(contains(out, "a Var of an earlier call is used"));
    CHECK(contains(out, "a Var is no float: use exp and log of assay"));
    CHECK(contains(out, "a Var is neither true nor false"));
    CHECK_FALSE(contains(out, "taken"));
}

TEST_CASE("float16 and bfloat16 are rounded once, as the judge rounds them") {
    if (!there()) return;
    Random random(7);
    std::string numbers, expected;
    for (int i = 0; i < 3000; ++i) {
        const double exponent = std::floor(random.uniform(-160, 140));
        const double value =
            (i % 2 == 0 ? 1 : -1) * std::ldexp(1 + random.uniform(0, 1), static_cast<int>(exponent / 5));
        // Halfway cases, which a way by float32 would round twice.
        const double tie = i % 3 == 0 ? std::ldexp(std::floor(value * 4096), -12) + std::ldexp(1.0, -40) : value;
        numbers += fmt::format("{},", __builtin_bit_cast(std::uint64_t, tie));
        expected += fmt::format("{} {}\n", half_bits(tie), bfloat16_bits(tie));
    }
    CHECK(printed_by("import struct\nfrom assay.storage import to_bfloat16, to_half\nfor bits in [" + numbers +
                     "]:\n    x = struct.unpack('<d', struct.pack('<Q', bits))[0]\n    print(to_half(x), "
                     "to_bfloat16(x))\n") == expected);
}

TEST_CASE("tensors of an attempt's own: slices, rows, iteration") {
    if (!there()) return;
    const std::string out =
        printed_by("import assay\n"
                   "t = assay.tensor([[1, 2, 3], [4, 5, 6]])\n"
                   "print(t[1, -1], t[:, 1].tolist(), t[0, ::2].tolist(), [r.tolist() for r in t])\n"
                   "t[:, 0] = 9\nt[1, 1:] = [7, 8]\nt[..., 2] = 0\n"
                   "print(t.tolist(), t.shape, t.strides, t.size, len(t), t[1:1].tolist())\n"
                   "i = assay.zeros(3, 'int64')\ni[0] = 2.0\ni[1] = -1\nprint(list(i), sum(i))\n");
    CHECK(out == "6.0 [2.0, 5.0] [1.0, 3.0] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]\n"
                 "[[9.0, 2.0, 0.0], [9.0, 7.0, 0.0]] (2, 3) (3, 1) 6 2 []\n"
                 "[2, -1, 0] 1\n");
}
