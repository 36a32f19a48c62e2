// Near misses: a function that is there under another name as far as C++ is concerned.
#include "attempt/workbench.hpp"

namespace {

using namespace workbench;

const std::string merge_type =
    "void (assay::view<float>, assay::view<float const>, assay::optional<float>)"; // as typeid's name demangles

/// Why toy::merge is missing from a library with these definitions.
std::string missing(const std::string& definitions) {
    const Workbench bench;
    bench.write("toy.cpp", "#include \"contract.hpp\"\nusing namespace assay;\n" + definitions + "\n");
    const auto sentences = explain_missing(bench.built().library, {{"toy", "merge", merge_type}});
    REQUIRE(sentences.size() == 1);
    return sentences[0];
}

TEST_CASE("a near miss says what differs", "[missing]") {
    CHECK(missing("namespace toy { void merge(view<float>, view<const float>, float) {} }") ==
          "toy::merge is not defined with the contract's parameters; of the attempt's merge, parameter 3 is float, the "
          "contract has optional<float>");
    CHECK(missing("namespace toy { void merge(view<float>, view<float>, optional<double>) {} }") ==
          "toy::merge is not defined with the contract's parameters; of the attempt's merge, parameter 2 is "
          "view<float>, the contract has view<const float>; parameter 3 is optional<double>, the contract has "
          "optional<float>");
    CHECK(missing("namespace toy { void merge(view<float>, view<const float>) {} }") ==
          "toy::merge is not defined with the contract's parameters; of the attempt's merge, it has 2 parameters where "
          "the contract has 3");
    CHECK(missing("void merge(view<float>, view<const float>, optional<float>) {}") ==
          "toy::merge is not defined; the attempt defines merge in the global namespace: define it in namespace toy");
    CHECK(missing("namespace mine { void merge(view<float>, view<const float>, float) {} }") ==
          "toy::merge is not defined; the attempt defines merge in namespace mine: define it in namespace toy; also, "
          "parameter 3 is float, the contract has optional<float>");
    CHECK(missing("extern \"C\" void merge(view<float>, view<const float>, optional<float>) {}") ==
          "toy::merge is not defined; the attempt's merge is extern \"C\": take that away and define it in namespace "
          "toy");
    CHECK(missing("namespace toy { template <class T> void merge(view<T>, view<const T>, T) {}\n"
                  "template void merge<float>(view<float>, view<const float>, float); }") ==
          "toy::merge is not defined; the attempt's merge is a template: define the function itself");
}

TEST_CASE("plain absence is said plainly", "[missing]") {
    CHECK(missing("void toy::fill(view<float>, float) {}\nint merge = 0;\nvoid merged() {}") ==
          "toy::merge is not defined");
    CHECK(missing("namespace toy { namespace { void merge(view<float>, view<const float>, float) {} }\n"
                  "void go() { merge({}, {}, 0.0f); } }") == "toy::merge is not defined");
    CHECK(explain_missing("/nonexistent.so", {{"toy", "merge", merge_type}, {"toy", "fill", ""}}) ==
          std::vector<std::string>{"toy::merge is not defined", "toy::fill is not defined"});
}

TEST_CASE("of several candidates the nearest is explained", "[missing]") {
    CHECK(
        missing("void merge(int) {}\nnamespace toy { void merge(int, int) {}\n"
                "void merge(view<float>, view<const float>, double) {} }") ==
        "toy::merge is not defined with the contract's parameters; of the attempt's merge, parameter 3 is double, the "
        "contract has optional<float>");
}

} // namespace
