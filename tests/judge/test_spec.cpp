// --case specs: written, read back, applied.
#include "catch.hpp"

#include "core/random.hpp"
#include "judge/layout.hpp"
#include "judge/spec.hpp"

#include <cmath>
#include <limits>

using namespace assay;

namespace {

std::string round_trip(const std::string& text) {
    const Outcome<CaseSpec> spec = parse_spec(text);
    return spec ? spec->text() : "refused: " + spec.failure().reason;
}

Array counting(const Index& extents, Dtype dtype = Dtype::f32) {
    double next = 0;
    return Array::generate(dtype, extents, [&](const Index&) { return next++; });
}

Problem example() {
    Problem problem;
    problem.route = "attention";
    problem.fields = {{"q", counting({2, 3, 4}), {"H", "Lq", "D"}},
                      {"k", counting({2, 5, 4}), {"H", "Lk", "D"}},
                      {"mask", counting({1, 3, 5}, Dtype::boolean), {"H", "Lq", "Lk"}},
                      {"blocks", counting({3}, Dtype::i64), {""}},
                      {"causal", true, {}},
                      {"scale", 0.37, {}},
                      {"window", std::int64_t{3}, {}},
                      {"bias", Value(), {}}};
    return problem;
}

Problem applied(const std::string& text, const Problem& problem = example()) {
    const Outcome<CaseSpec> spec = parse_spec("case" + text);
    REQUIRE(spec);
    Outcome<Problem> result = apply(problem, *spec);
    if (!result) FAIL(result.failure().reason);
    return *result;
}

std::string refusal(const std::string& text) {
    const Outcome<CaseSpec> spec = parse_spec("case" + text);
    if (!spec) {
        CHECK(spec.failure().verdict == Verdict::SKIP);
        return spec.failure().reason;
    }
    const Outcome<Problem> result = apply(example(), *spec);
    if (result) return "fits";
    CHECK(result.failure().verdict == Verdict::SKIP);
    return result.failure().reason;
}

} // namespace

TEST_CASE("specs read back as they were written", "[judge]") {
    for (const std::string text :
         {"causal-short", "causal-short@Lq:4@Lk:0,2@q=1@v~int", "a@x=0.1,-0,nan,inf,-inf,1e+300", "a@x~none@x~packed",
          "a@Lk:0-9,11,13,14,20-30", "a@Lk:", "a@long_name:1"})
        CHECK(round_trip(text) == text);
    CHECK(round_trip("a@Lk:0,1,2,3@x=1.50") == "a@Lk:0-3@x=1.5");
}

TEST_CASE("numbers keep every bit", "[judge]") {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        const double value = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.integer(-900, 900)));
        const CaseSpec spec{"a", {CaseSpec::Step{CaseSpec::Set{"x", {value}}}}};
        const Outcome<CaseSpec> back = parse_spec(spec.text());
        REQUIRE(back);
        CHECK(std::get<CaseSpec::Set>(back->steps.at(0)).values.at(0) == value);
    }
}

TEST_CASE("specs hold only characters that no shell touches", "[judge]") {
    const std::string text = parse_spec("a@Lk:0-9@x=-1e-20,nan@y~int")->text();
    CHECK(text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@:=~,.-+") ==
          std::string::npos);
}

TEST_CASE("what is no spec is refused in one sentence", "[judge]") {
    CHECK(round_trip("").substr(0, 22) == "refused: '' is no case");
    CHECK(refusal("@") == "step '@' is none of @NAME:indices, @FIELD=values and @FIELD~change");
    CHECK(refusal("@q~half") == "'half' in step '@q~half' is none of int, none and packed");
    CHECK(refusal("@q=1,two") == "'two' in step '@q=1,two' is not a number");
    CHECK(refusal("@q=") == "'' in step '@q=' is not a number");
    CHECK(refusal("@Lk:1,-2") == "'-2' in step '@Lk:1,-2' is no index or run of indices; write 3 or 0-7");
    CHECK(refusal("@Lk:3-1") == "'3-1' in step '@Lk:3-1' is no index or run of indices; write 3 or 0-7");
    CHECK(refusal("@Lk:0-99999999999") ==
          "'0-99999999999' in step '@Lk:0-99999999999' is no index or run of indices; write 3 or 0-7");
}

TEST_CASE("a step that does not fit says why", "[judge]") {
    CHECK(refusal("@Lk:5") == "dimension Lk has 5 indices, so index 5 of step '@Lk:5' is not one of them");
    CHECK(refusal("@X:0") == "this case has no dimension 'X'");
    CHECK(refusal("@zz=0") == "this case has no field 'zz'");
    CHECK(refusal("@q=1,2") == "field q has 24 elements, but step '@q=1,2' gives 2; give one value or one an element");
    CHECK(refusal("@bias=1") == "field bias is absent in this case, so it cannot be set");
    CHECK(refusal("@causal=2") == "field causal is a flag: 0 or 1, not 2");
    CHECK(refusal("@window=1.5") == "field window takes whole numbers only, not 1.5");
    CHECK(refusal("@scale=1,2") == "field scale is one value, but step '@scale=1,2' gives 2");
    CHECK(refusal("@mask=nan") == "field mask holds bool, which has no nan");
    CHECK(refusal("@causal~int") == "field causal holds no numbers to round");
    CHECK(refusal("@scale~packed") == "field scale is no tensor, so it cannot be packed");
}

TEST_CASE("keeping indices goes through every field of the dimension", "[judge]") {
    const Problem kept = applied("@Lk:1,4@Lq:2");
    CHECK(kept.array("k").extents == Index{2, 2, 4});
    CHECK(kept.array("k").at({1, 1, 0}) == example().array("k").at({1, 4, 0}));
    CHECK(kept.array("q").extents == Index{2, 1, 4});
    CHECK(kept.array("q").at({1, 0, 3}) == example().array("q").at({1, 2, 3}));
    CHECK(kept.array("mask").extents == Index{1, 1, 2});
    CHECK(kept.array("blocks").extents == Index{3});
    CHECK(applied("@H:1").array("mask").extents == Index{1, 3, 5}); // a broadcast axis stays
    CHECK(applied("@Lk:").array("k").extents == Index{2, 0, 4});
    CHECK(applied("@Lk:").array("mask").extents == Index{1, 3, 0});
}

TEST_CASE("values, flags and numbers are set", "[judge]") {
    CHECK(applied("@q=2").array("q").values() == std::vector<double>(24, 2));
    CHECK(applied("@Lq:0@H:0@q=1,2,3,0.1").array("q").values() ==
          std::vector<double>{1, 2, 3, static_cast<double>(0.1F)});
    CHECK_FALSE(applied("@causal=0").flag("causal"));
    CHECK(applied("@scale=-0.5").number_or("scale", 0) == -0.5);
    CHECK(applied("@window=7").integer("window") == 7);
    CHECK_FALSE(applied("@mask~none").has("mask"));
    CHECK(applied("@scale~int").number_or("scale", 9) == 0);
    const Problem halves = applied("@H:0@Lq:0@q=0.5,-0.4,2.5,-1.6@q~int");
    CHECK(halves.array("q").values() == std::vector<double>{0, 0, 2, -2});
    CHECK_FALSE(std::signbit(halves.array("q").at({0, 0, 1})));
}

TEST_CASE("elements that share storage cannot be set apart", "[judge]") {
    Problem problem = example();
    Array repeated = counting({2, 3, 1});
    repeated.extents[2] = 4;
    repeated.strides[2] = 0;
    problem.find("q")->value = repeated;
    CHECK(apply(problem, *parse_spec("case@q=5"))->array("q").values() == std::vector<double>(24, 5));
    const Outcome<Problem> refused = apply(problem, *parse_spec("case@H:0@Lq:0@q=1,2,3,4"));
    REQUIRE_FALSE(refused);
    CHECK(refused.failure().reason ==
          "field q repeats its elements in storage, so they cannot differ as step '@q=1,2,3,4' asks");
}

TEST_CASE("keeping leaves the layout's character", "[judge]") {
    const Array plain = counting({2, 3, 4});
    const std::vector<std::int64_t> keep{0, 2};
    CHECK(keep_along(plain, 1, keep).is_contiguous());
    CHECK(keep_along(plain, 1, keep).strides == Index{8, 4, 1});

    Array transposed = plain.laid_out(std::vector<int>{1, 0, 2}, std::vector<std::int64_t>{1, 1, 1});
    const Array fewer = keep_along(transposed, 1, keep);
    CHECK(fewer.strides == Index{4, 8, 1});
    CHECK(fewer.values() == plain.take(1, keep).values());

    Array stepped = plain.laid_out(std::vector<int>{0, 1, 2}, std::vector<std::int64_t>{1, 1, 2});
    for (std::size_t byte = 0; byte < stepped.storage.size(); byte += 8) // the gap after each element
        store(Dtype::f32, &stepped.storage[byte + 4], 99);
    const Array narrower = keep_along(stepped, 2, keep);
    CHECK(narrower.strides == Index{12, 4, 2});
    CHECK(narrower.values() == plain.take(2, keep).values());
    CHECK(narrower.stored(1) == 99);

    Array padded = counting({2, 3});
    padded.strides = {5, 1};
    padded.offset = 2;
    padded.storage.resize(40);
    const Array slim = keep_along(padded, 1, keep);
    CHECK(slim.strides == Index{4, 1}); // a padding of two stays one of two
    CHECK(slim.offset == 2);
    CHECK(slim.values() == padded.take(1, keep).values());

    Array repeated = counting({2, 1, 4});
    repeated.extents[1] = 3;
    repeated.strides[1] = 0;
    CHECK(keep_along(repeated, 1, keep).strides == Index{4, 0, 1});
    CHECK(keep_along(repeated, 2, keep).strides == Index{2, 0, 1});
    CHECK(keep_along(repeated, 2, keep).values() == repeated.take(2, keep).values());

    Array overlapping = counting({6});
    overlapping.extents = {3, 3};
    overlapping.strides = {1, 1};
    CHECK(keep_along(overlapping, 0, keep).values() == overlapping.take(0, keep).values());
}

TEST_CASE("any strided layout keeps its values", "[judge]") {
    Random random(11);
    for (int trial = 0; trial < 200; ++trial) {
        const Index extents{random.integer(1, 4), random.integer(1, 4), random.integer(1, 4)};
        std::vector<int> order{0, 1, 2};
        for (std::size_t i = 2; i > 0; --i)
            std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)))]);
        const std::vector<std::int64_t> step{random.integer(1, 3), random.integer(1, 3), random.integer(1, 3)};
        const Array array = counting(extents).laid_out(order, step);
        const auto axis = static_cast<std::size_t>(random.integer(0, 2));
        std::vector<std::int64_t> keep;
        for (std::int64_t i = 0; i < extents[axis]; ++i)
            if (random.chance(0.6)) keep.push_back(i);
        const Array kept = keep_along(array, axis, keep);
        CAPTURE(extents, order, step, axis, keep);
        CHECK(kept.values() == array.take(axis, keep).values());
        if (array.is_contiguous()) CHECK(kept.is_contiguous());
        CHECK(kept.reach() <= kept.storage_elements());
    }
}
