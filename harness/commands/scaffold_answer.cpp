// What `exercise new` writes to solutions/<id>.
#include "commands/scaffold.hpp"

namespace assay::detail {

namespace {

constexpr std::string_view oracle_header =
    R"(// The float64 truth of `@ID@`, its bound, and each named mistake as a switch.
#ifndef ASSAY_@GUARD@_ORACLE_HPP
#define ASSAY_@GUARD@_ORACLE_HPP

#include "core/exercise.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace @ID@ {

std::vector<assay::Mistake> mistakes();

/// y = a x + b in float64; |error| <= u (|a x| + |y|) in float32 arithmetic, u = 2^-24, to first order.
std::optional<assay::Truths> oracle(const assay::Problem& problem, std::string_view mistake, int form);

/// The plain float32 loop.
assay::Outputs plain(const assay::Problem& problem);

} // namespace @ID@

#endif
)";

constexpr std::string_view oracle_source = R"(#include "oracle.hpp"

#include <cmath>

namespace @ID@ {

using namespace assay;

std::vector<Mistake> mistakes() {
    return {{"offset-missing", "a x without b", {"formula"}, {}},
            {"offset-inside", "a (x + b): b added before the product", {"formula"}, {}},
            {"strides-ignored", "x read as if its elements lay side by side", {"formula"}, {}}};
}

std::optional<Truths> oracle(const Problem& problem, std::string_view mistake, int) {
    constexpr double u = 0x1p-24;
    const Array& x = problem.array("x");
    const double a = problem.number_or("a", 0), b = problem.number_or("b", 0);
    Truth y;
    y.name = "y";
    y.extents = x.extents;
    for (std::int64_t i = 0; i < x.size(); ++i) {
        double xi = x.at({i});
        if (mistake == "strides-ignored") {
            if (x.offset + i >= x.storage_elements()) return std::nullopt; // stride 0: it would read out of range
            xi = x.stored(x.offset + i);
        }
        const double offset = mistake == "offset-missing" ? 0 : mistake == "offset-inside" ? a * b : b;
        const double value = a * xi + offset;
        y.value.push_back(value);
        y.bound.push_back(u * (std::abs(a * xi) + std::abs(offset) + std::abs(value)) * (1 + 1e-6) + 0x1p-149);
    }
    return Truths{y};
}

Outputs plain(const Problem& problem) {
    const Array& x = problem.array("x");
    const auto a = static_cast<float>(problem.number_or("a", 0)), b = static_cast<float>(problem.number_or("b", 0));
    return {{{"y", Array::generate(Dtype::f32, x.extents, [&](const Index& at) {
                  return static_cast<double>(a * static_cast<float>(x.at(at)) + b);
              })}}};
}

} // namespace @ID@
)";

/// An attempt whose body is `body` and whose first line is `about`.
#define ATTEMPT(about, body)                                                                                           \
    "// " about "\n"                                                                                                   \
    "#include \"contract.hpp\"\n\n"                                                                                    \
    "namespace @ID@ {\n\n"                                                                                             \
    "void affine(tensor<const float, 1> x, float a, float b, tensor<float, 1> y) {\n" body "}\n\n"                     \
    "} // namespace @ID@\n"

constexpr std::string_view solution =
    ATTEMPT("The model answer.", "    for (int i = 0; i < x.extent(0); ++i) y(i) = a * x(i) + b;\n");

constexpr std::string_view walkthrough = R"(# Walkthrough

One multiplication and one addition an element. `x(i)` goes by the stride; the extents decide how far to go, so that an
empty tensor needs no case of its own.
)";

constexpr std::string_view interviewer = R"(# For the interviewer

*When is the fused multiply-add the better answer?* It rounds once instead of twice, and is what the hardware offers; a
strong answer adds that results then differ in the last bit between machines.
)";

constexpr std::string_view fused = R"(// One rounding instead of two.
#include "contract.hpp"

#include <cmath>

namespace @ID@ {

void affine(tensor<const float, 1> x, float a, float b, tensor<float, 1> y) {
    for (int i = 0; i < x.extent(0); ++i) y(i) = std::fma(a, x(i), b);
}

} // namespace @ID@
)";

constexpr std::string_view in_double =
    ATTEMPT("Computed in double, rounded at the end.", "    for (int i = 0; i < x.extent(0); ++i)\n"
                                                       "        y(i) = static_cast<float>(double(a) * x(i) + b);\n");

constexpr std::string_view by_pointer =
    ATTEMPT("From the back, with pointers and strides.", "    for (std::ptrdiff_t i = x.extent(0); i-- > 0;) {\n"
                                                         "        const float* from = x.data() + i * x.stride(0);\n"
                                                         "        y(i) = b + *from * a;\n"
                                                         "    }\n");

constexpr std::string_view offset_missing =
    ATTEMPT("b is forgotten.", "    (void)b;\n    for (int i = 0; i < x.extent(0); ++i) y(i) = a * x(i);\n");

constexpr std::string_view offset_inside =
    ATTEMPT("b is added before the product.", "    for (int i = 0; i < x.extent(0); ++i) y(i) = a * (x(i) + b);\n");

constexpr std::string_view strides_ignored = ATTEMPT(
    "Reads data() as if x were contiguous.", "    for (int i = 0; i < x.extent(0); ++i) y(i) = a * x.data()[i] + b;\n");

constexpr std::string_view unwritten = ATTEMPT("The last element is never written.\n// Expect: formula",
                                               "    for (int i = 0; i + 1 < x.extent(0); ++i) y(i) = a * x(i) + b;\n");

constexpr std::string_view throws = ATTEMPT("Throws where it should answer.\n// Expect: formula",
                                            "    (void)x, (void)a, (void)b, (void)y;\n    throw 1;\n");

constexpr std::string_view endless =
    ATTEMPT("Never ends.\n// Expect: formula", "    for (volatile int i = 0;; i = i + 1) y(0) = a * x(0) + b;\n");

constexpr std::string_view no_such_name =
    ATTEMPT("Uses a name that does not exist.", "    for (int i = 0; i < x.extent(0); ++i) y(i) = a * x(i) + c;\n");

#undef ATTEMPT

} // namespace

std::vector<ScaffoldTemplate> answer_templates() {
    return {{"oracle.hpp", oracle_header},
            {"oracle.cpp", oracle_source},
            {"solution.cpp", solution},
            {"walkthrough.md", walkthrough},
            {"interviewer.md", interviewer},
            {"accepted/fused.cpp", fused},
            {"accepted/in-double.cpp", in_double},
            {"accepted/by-pointer.cpp", by_pointer},
            {"rejected/WA/offset-missing.cpp", offset_missing},
            {"rejected/WA/offset-inside.cpp", offset_inside},
            {"rejected/WA/strides-ignored.cpp", strides_ignored},
            {"rejected/WA/unwritten-tail.cpp", unwritten},
            {"rejected/RTE/throws.cpp", throws},
            {"rejected/TLE/endless.cpp", endless},
            {"rejected/CE/no-such-name.cpp", no_such_name}};
}

} // namespace assay::detail
