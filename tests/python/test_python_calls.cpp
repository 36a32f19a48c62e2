// What crosses to an attempt in Python and back: every kind of argument and result of a contract.
#include "python/toy.hpp"

#include <cmath>

using namespace toy_python;

namespace {

std::vector<Field> an_order(std::int64_t what, bool discount) {
    return {integer("count", 3), number("price", 2.5), integer("what", what), flag("gift", true),
            discount ? number("discount", 0.1) : absent("discount")};
}

} // namespace

TEST_CASE("records, enumerations, flags and absent numbers") {
    if (!there()) return;
    Code code("from contract import bill, kind\n"
              "def charge(one, discount):\n"
              "    assert isinstance(one.what, kind), one\n"
              "    share = 0 if discount is None else discount\n"
              "    return bill(one.count * one.price * (1 - share), one.count, one.what, one.gift)\n");
    const Outcome<Answer> plain = code.ask("charge", an_order(1, false));
    REQUIRE(plain.ok());
    CHECK(values_of(*plain, "total") == std::vector<double>{7.5});
    CHECK(values_of(*plain, "items") == std::vector<double>{3});
    CHECK(values_of(*plain, "what") == std::vector<double>{1});
    CHECK(values_of(*plain, "gift") == std::vector<double>{1});
    // The contract's discount is a float: 0.1 reaches the attempt as float32 has it.
    const Outcome<Answer> less = code.ask("charge", an_order(0, true));
    REQUIRE(less.ok());
    CHECK(values_of(*less, "total")[0] == 7.5 * (1 - static_cast<double>(0.1f)));
}

TEST_CASE("a value that no enumerator has arrives as a number") {
    if (!there()) return;
    Code code("def charge(one, discount):\n    return {'what': one.what, 'items': int(one.what) + 1}\n");
    const Outcome<Answer> answer = code.ask("charge", an_order(5, false));
    REQUIRE(answer.ok());
    CHECK(values_of(*answer, "what") == std::vector<double>{5});
    CHECK(values_of(*answer, "items") == std::vector<double>{6});
}

TEST_CASE("a result may be the contract's record, a dict, or any object with the fields; the rest stays unset") {
    if (!there()) return;
    for (const char* answer : {"bill(total=1.0)", "{'total': 1}", "Mine()"}) {
        Code code(std::string("from contract import bill\nclass Mine:\n    total = 1\n"
                              "def charge(one, discount):\n    return ") +
                  answer + "\n");
        const Outcome<Answer> got = code.ask("charge", an_order(0, false));
        REQUIRE(got.ok());
        CHECK(values_of(*got, "total") == std::vector<double>{1});
        CHECK(values_of(*got, "items") == std::vector<double>{static_cast<double>(unset_integer)});
        CHECK(values_of(*got, "what") == std::vector<double>{-1});
        CHECK(values_of(*got, "gift") == std::vector<double>{0});
    }
    Code unset("from contract import bill\ndef charge(one, discount):\n    return bill()\n");
    const Outcome<Answer> got = unset.ask("charge", an_order(0, false));
    REQUIRE(got.ok());
    const double expected = assay::unset;
    CHECK(got->outputs.find("total")->bits()[0] == __builtin_bit_cast(std::uint64_t, expected));
}

TEST_CASE("a result that does not fit is told by its name") {
    if (!there()) return;
    const auto reason = [](const std::string& answer) {
        Code code("from contract import bill\ndef charge(one, discount):\n    return " + answer + "\n");
        return code.failure("charge", an_order(0, false)).reason;
    };
    CHECK(contains(reason("None"), "charge let TypeError escape: bill is a bill, and None is none"));
    CHECK(contains(reason("{'totl': 1}"), "bill has no field 'totl': a bill has total, items, what, gift"));
    CHECK(contains(reason("bill(items=2.5)"), "bill.items is an integer, and 2.5 is none"));
    CHECK(contains(reason("bill(items=2**63)"), "does not fit 64 bits"));
    CHECK(contains(reason("bill(total='1')"), "bill.total is a number, and '1' is none"));
    CHECK(contains(reason("bill(totl=1)"), "totl"));
}

TEST_CASE("16-bit tensors are read exactly and written rounded once, through any strides") {
    if (!there()) return;
    Code code("def scale_half(x, y, factor):\n"
              "    for i in range(x.shape[0]):\n"
              "        for j in range(len(x[i])):\n"
              "            y[i, j] = x[i, j] * factor\n");
    const Array x =
        Array::generate(Dtype::f16, {2, 3}, [](const Index& i) { return 0.1 + static_cast<double>(10 * i[0] + i[1]); });
    const std::vector<int> order{1, 0};
    const std::vector<std::int64_t> gaps{1, 2};
    Field y = array("y", Array::zeros(Dtype::bf16, {2, 3}));
    const Outcome<Answer> answer =
        code.ask("scale_half", {array("x", x.laid_out(order, gaps)), y, number("factor", 3)});
    REQUIRE(answer.ok());
    CHECK(answer->findings.empty());
    std::vector<double> expected;
    for (const double value : x.values()) expected.push_back(value * 3);
    CHECK(values_of(*answer, "y") == Array::of(Dtype::bf16, {2, 3}, expected).values());
}

TEST_CASE("an optional tensor, flags and integers; rows at once") {
    if (!there()) return;
    Code code("def pick(mask, x, y):\n"
              "    y[...] = [v if mask is None or mask[i] else -1 for i, v in enumerate(x)]\n");
    const std::vector<double> flags{1, 0, 1};
    const std::vector<double> numbers{5, -6, 7};
    const auto ask = [&](Field mask) {
        const Outcome<Answer> answer =
            code.ask("pick", {std::move(mask), array("x", Array::of(Dtype::i32, {3}, numbers)),
                              array("y", Array::zeros(Dtype::i64, {3}))});
        REQUIRE(answer.ok());
        CHECK(answer->findings.empty());
        return values_of(*answer, "y");
    };
    CHECK(ask(absent("mask")) == numbers);
    CHECK(ask(array("mask", Array::of(Dtype::boolean, {3}, flags))) == std::vector<double>{5, -1, 7});
}

TEST_CASE("what is not written is found, and empty tensors are tensors") {
    if (!there()) return;
    Code code("def pick(mask, x, y):\n    for i, v in enumerate(x[1:]):\n        y[i + 1] = v\n");
    const auto ask = [&](std::int64_t n) {
        return code.ask("pick", {absent("mask"), array("x", Array::zeros(Dtype::i32, {n})),
                                 array("y", Array::zeros(Dtype::i64, {n}))});
    };
    const Outcome<Answer> answer = ask(3);
    REQUIRE(answer.ok());
    REQUIRE(answer->findings.size() == 1);
    CHECK(answer->findings[0].kind == FindingKind::unwritten_output);
    CHECK(answer->findings[0].wrong == 1);
    const Outcome<Answer> empty = ask(0);
    REQUIRE(empty.ok());
    CHECK(empty->findings.empty());
}

TEST_CASE("a loss in Var brings its gradients back, strided, and afresh at every call") {
    if (!there()) return;
    Code code("from assay import Var\n"
              "def weighted(x, weights, scale):\n"
              "    total = Var()\n"
              "    for i in range(x.shape[0]):\n"
              "        for j in range(x.shape[1]):\n"
              "            total += x[i, j] * weights[j] * scale\n"
              "    return total\n");
    const std::vector<double> x{1, 2, 3, 4, 5, 6}, weights{10, 20, 30};
    const std::vector<int> order{1, 0};
    const std::vector<std::int64_t> gaps{1, 2};
    const Array values = Array::of(Dtype::f64, {2, 3}, x);
    for (int call = 0; call < 2; ++call) {
        const Outcome<Answer> answer =
            code.ask("weighted", {array("x", values.laid_out(order, gaps)),
                                  array("x_grad", Array::zeros(Dtype::f64, {2, 3}).laid_out(order, gaps)),
                                  array("weights", Array::of(Dtype::f64, {3}, weights)),
                                  array("weights_grad", Array::zeros(Dtype::f64, {3})), number("scale", 2)});
        REQUIRE(answer.ok());
        CHECK(answer->findings.empty());
        CHECK(values_of(*answer, "weighted") == std::vector<double>{2 * (10 * 5.0 + 20 * 7.0 + 30 * 9.0)});
        CHECK(values_of(*answer, "x_grad") == std::vector<double>{20, 40, 60, 20, 40, 60});
        CHECK(values_of(*answer, "weights_grad") == std::vector<double>{10, 14, 18});
    }
}

TEST_CASE("ranks meet in collectives, and a ring's bytes are counted") {
    if (!there()) return;
    Code code("def total(group, x, sum):\n"
              "    mine = x.tolist()\n"
              "    group.all_reduce(mine)\n"
              "    sum[...] = mine\n");
    const auto fields = [] {
        return std::vector<Field>{
            integer("ranks", 3),
            array("x", Array::generate(Dtype::f32, {3, 2},
                                       [](const Index& i) { return static_cast<double>(10 * i[0] + i[1]); })),
            array("sum", Array::zeros(Dtype::f32, {3, 2}))};
    };
    const Outcome<Answer> answer = code.ask("total", fields());
    REQUIRE(answer.ok());
    CHECK(values_of(*answer, "sum") == std::vector<double>{30, 33, 30, 33, 30, 33});
    for (const double bytes : values_of(*answer, "sent_bytes")) CHECK(bytes == Approx(2.0 * 2 / 3 * 8));
    CHECK(values_of(*answer, "collectives") == std::vector<double>{1, 1, 1});

    Code alone("def total(group, x, sum):\n    if group.rank() != 1:\n        group.all_reduce(x.tolist())\n");
    CHECK(contains(alone.failure("total", fields()).reason,
                   "rank 0 waits in all_reduce, but rank 1 has returned: every rank makes the same collective calls"));
}

TEST_CASE("an object is asked by its handle, fills lists and is forgotten") {
    if (!there()) return;
    Code code("from contract import bill, kind, never, step, walker\n"
              "class Walker(walker):\n"
              "    def __init__(self, stride):\n        self.stride, self.at = stride, 0\n"
              "    def walk(self, length, steps, marks):\n"
              "        for _ in range(length):\n"
              "            steps.push(step(self.at, self.at + self.stride))\n"
              "            self.at += self.stride\n"
              "        marks.append(never)\n"
              "        return bill(total=self.at, what=kind.fancy)\n"
              "def make_walker(stride):\n    return Walker(stride)\n");
    Level level;
    std::vector<std::vector<Array>> got;
    level.script = [&](Caller& caller, const Problem&) -> Outcome<Outputs> {
        const std::vector<Argument> stride{{std::int64_t{4}, Mode::in}};
        const auto made = caller.call("make_walker", stride);
        if (!made) return made.failure();
        const Value handle = static_cast<std::int64_t>((*made)[0].at({}));
        for (int round = 0; round < 2; ++round) {
            const std::vector<Argument> asked{
                {handle, Mode::in}, {std::int64_t{2}, Mode::in}, {{}, Mode::out}, {{}, Mode::out}};
            auto walked = caller.call("walker.walk", asked);
            if (!walked) return walked.failure();
            got.push_back(std::move(*walked));
        }
        const std::vector<Argument> last{{handle, Mode::in}};
        if (const auto gone = caller.call("walker.destroy", last); !gone) return gone.failure();
        return Outputs{};
    };
    const Outcome<Answer> answer = code.attempt().answer(level, Problem{});
    INFO((answer ? "" : answer.failure().reason));
    REQUIRE(answer.ok());
    REQUIRE(got.size() == 2);
    REQUIRE(got[1].size() == 6); // bill's four fields, then the lists
    CHECK(got[1][0].values() == std::vector<double>{16});
    CHECK(got[1][2].values() == std::vector<double>{1});
    CHECK(got[0][4].values() == std::vector<double>{0, 4, 4, 8});
    CHECK(got[1][4].values() == std::vector<double>{8, 12, 12, 16});
    CHECK(got[1][5].values() == std::vector<double>{7});
}
