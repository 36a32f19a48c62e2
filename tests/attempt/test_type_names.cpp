// Demangled names as people write them.
#include "attempt/type_names.hpp"
#include "catch.hpp"

namespace {

using namespace assay;

TEST_CASE("type names are shortened", "[names]") {
    CHECK(short_type("assay::tensor<float const, 4ul>") == "tensor<const float, 4>");
    CHECK(short_type("assay::optional<assay::tensor<bool const, 4ul> >") == "optional<tensor<const bool, 4>>");
    CHECK(short_type("assay::tensor<assay::half const, 2ul>") == "tensor<const half, 2>");
    CHECK(short_type("std::vector<float, std::allocator<float> > const&") == "std::vector<float> const&");
    CHECK(short_type("std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, "
                     "std::allocator<int> > > >") == "std::vector<std::vector<int>>");
    CHECK(short_type("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >") ==
          "std::string");
    CHECK(short_type("std::span<float const, 18446744073709551615ul>") == "std::span<const float>");
    CHECK(short_type("char const*") == "const char*");
    CHECK(short_type("mul4ul") == "mul4ul");
    CHECK(short_type("x::constant") == "x::constant");
    CHECK(short_type("") == "");
}

TEST_CASE("what the emulation makes of CUDA's types has CUDA's names", "[names]") {
    CHECK(short_type("assay::device_view<assay::simt::Number16<assay::simt::HalfFormat> const, 4ul>") ==
          "device_view<const __half, 4>");
    CHECK(short_type("assay::simt::Number16<assay::simt::BfloatFormat>*") == "__nv_bfloat16*");
    CHECK(short_type("CUstream_st*") == "cudaStream_t");
}

TEST_CASE("parameters and names are read off a signature", "[names]") {
    using List = std::vector<std::string>;
    CHECK(parameters_of_function("toy::f(assay::view<float>, std::map<int, long>, void (*)(int, int))") ==
          List{"view<float>", "std::map<int, long>", "void (*)(int, int)"});
    CHECK(parameters_of_function("(anonymous namespace)::f(int)") == List{"int"});
    CHECK(parameters_of_function("void (int, bool)") == List{"int", "bool"});
    CHECK(parameters_of_function("f()").empty());
    CHECK(parameters_of_function("variable").empty());
    CHECK(parameters_of_function("f(unclosed").empty());
    CHECK(function_name("sdpa::(anonymous namespace)::dot(std::span<float>, int) const") == "sdpa::dot");
    CHECK(function_name("main") == "main");
}

} // namespace
