// Include directives as the scan sees them, beside those that only look like one.
#include "attempt/source_scan.hpp"
#include "catch.hpp"

#include <map>

namespace {

using namespace assay;

std::vector<std::string> names(std::string_view text) {
    std::vector<std::string> found;
    for (const IncludeDirective& include : find_includes(text))
        found.push_back((include.quoted ? "q:" : "a:") + include.name + ":" + std::to_string(include.line));
    return found;
}

using Names = std::vector<std::string>;

TEST_CASE("includes are found in every spelling", "[scan]") {
    CHECK(names("#include \"a.hpp\"\n  #  include<b>\n#include\t\"d e.hpp\" // why\n") ==
          Names{"q:a.hpp:1", "a:b:2", "q:d e.hpp:3"});
    CHECK(names("#\\\ninclude \\\n\"a.hpp\"\n#include <b>") == Names{"q:a.hpp:1", "a:b:4"});
    CHECK(names("/* # */ #include /* x */ \"a.hpp\"\r\n#include <b>\r\n") == Names{"q:a.hpp:1", "a:b:2"});
    CHECK(names("\xEF\xBB\xBF#include <b>\n") == Names{"a:b:1"});
    CHECK(names("#if 0\n#include \"a.hpp\"\n#endif\n") == Names{"q:a.hpp:2"});
    CHECK(names("#if __has_include(\"a.hpp\") && __has_include( <b> )\n#endif") == Names{"q:a.hpp:1", "a:b:1"});
    CHECK(names("#import \"a.hpp\"\n") == Names{"q:a.hpp:1"});
    CHECK(names("%:include \"a.hpp\"\n %: include <b>\n%include <c>\n") == Names{"q:a.hpp:1", "a:b:2"});
}

TEST_CASE("what only looks like an include is none", "[scan]") {
    CHECK(names("// #include \"a.hpp\"\n// \\\n#include \"b.hpp\"\n/* \n#include \"c.hpp\"\n*/\n").empty());
    CHECK(names("const char* s = \"/*\";\n#include <b>\n") == Names{"a:b:2"});
    CHECK(names("int n = 1'000; // don't\n#include <b>\n") == Names{"a:b:2"});
    CHECK(names("char c = '\"'; char d = '\\'';\n#include <b>\n") == Names{"a:b:2"});
    CHECK(names("x #include <b>\n#included <b>\n#include HEADER\n#include \"\"\n#include \"open\n").empty());
    CHECK(names("").empty());
    CHECK(names("#").empty());
    CHECK(names("/*").empty());
    CHECK(names("\\").empty());
}

TEST_CASE("the leading standard headers end at the first thing that could change their meaning", "[scan]") {
    CHECK(leading_standard_headers("// c\n\n#pragma once\n#include \"contract.hpp\"\n#include <cmath>\n/* x\n*/\n"
                                   "#include <vector>\nint x;\n#include <map>\n") == Names{"cmath", "vector"});
    CHECK(leading_standard_headers("#include <cmath>\n#define NDEBUG\n#include <cassert>\n") == Names{"cmath"});
    CHECK(leading_standard_headers("#include <cmath>\n#include \"mine.hpp\"\n#include <map>\n") == Names{"cmath"});
    CHECK(leading_standard_headers("#include <cmath>\n#include <Eigen/Dense>\n#include <map>\n") == Names{"cmath"});
    CHECK(leading_standard_headers("#include <cmath>\n#ifdef X\n#include <map>\n#endif\n") == Names{"cmath"});
    CHECK(leading_standard_headers("#include <cmath>\n#pragma GCC optimize(\"O3\")\n#include <map>\n") ==
          Names{"cmath"});
    CHECK(leading_standard_headers("using namespace std;\n#include <map>\n").empty());
}

TEST_CASE("headers beside the attempt are looked into for leading standard headers", "[scan]") {
    const std::map<std::string, std::string> files = {
        {"mine.hpp", "#ifndef MINE_HPP\n#define MINE_HPP\n#include \"contract.hpp\"\n#include <map>\n#endif\n"},
        {"once.hpp", "#pragma once\n#include <set>\nint x;\n#include <list>\n"},
        {"circle.hpp", "#include \"circle.hpp\"\n#include <bit>\n"},
        {"macro.hpp", "#ifndef NDEBUG\n#define NDEBUG\n#include <cassert>\n#endif\n"},
        {"other.hpp", "#ifndef OTHER_H_\n#define NDEBUG\n#include <cassert>\n#endif\n"},
        {"library.hpp", "#ifndef _GLIBCXX_DEBUG_H\n#define _GLIBCXX_DEBUG_H\n#include <map>\n#endif\n"},
        {"else.hpp", "#ifndef ELSE_H\n#define ELSE_H\n#include <map>\n#else\n#include <set>\n#endif\n"}};
    const auto beside = [&](const std::string& name) -> const std::string* {
        const auto found = files.find(name);
        return found == files.end() ? nullptr : &found->second;
    };
    const auto leading = [&](const std::string& text) { return leading_standard_headers(text, beside); };
    CHECK(leading("#include \"mine.hpp\"\n#include <cmath>\n") == Names{"map", "cmath"});
    CHECK(leading("#include \"once.hpp\"\n#include <cmath>\n") == Names{"set"});
    CHECK(leading("#include \"circle.hpp\"\n#include <cmath>\n") == Names{"bit", "cmath"});
    CHECK(leading("#include \"macro.hpp\"\n").empty());
    CHECK(leading("#include \"other.hpp\"\n").empty());
    CHECK(leading("#include \"library.hpp\"\n").empty());
    CHECK(leading("#include \"else.hpp\"\n#include <bit>\n") == Names{"map"});
    CHECK(leading("#include <map>\n#include \"mine.hpp\"\n#include <cmath>\n") == Names{"map", "cmath"});
    CHECK(leading("#include \"absent.hpp\"\n#include <map>\n").empty());
}

TEST_CASE("standard headers are told from others", "[scan]") {
    for (const char* name : {"algorithm", "vector", "math.h", "wctype.h", "bit", "stdexcept"})
        CHECK(is_standard_header(name));
    for (const char* name : {"", "Vector", "vectors", "immintrin.h", "bits/stdc++.h", "omp.h"})
        CHECK_FALSE(is_standard_header(name));
}

TEST_CASE("an attempt in CUDA begins with the contract's headers, and with others that are known, in its own order",
          "[scan]") {
    const std::string contract = "#ifndef TOY_CONTRACT_CUH\n#define TOY_CONTRACT_CUH\n#include <toy_device.h>\n"
                                 "#include <assay/view.hpp>\nnamespace toy {}\n#include <late.h>\n#endif\n";
    const std::string mine = "#ifndef MINE_CUH\n#define MINE_CUH\n#include \"contract.cuh\"\n#include <map>\n#endif\n";
    const auto beside = [&](const std::string& name) { return name == "mine.cuh" ? &mine : nullptr; };
    const auto known = [](const std::string& name) { return name == "toy_device.h" || name == "assay/view.hpp"; };
    const auto leading = [&](const std::string& text) { return leading_known_headers(text, beside, contract, known); };
    CHECK(leading("#include \"contract.cuh\"\n#include <cmath>\n#include <bit>\n") ==
          Names{"toy_device.h", "assay/view.hpp", "cmath", "bit"});
    CHECK(leading("#include <cmath>\n#include \"contract.cuh\"\n#include \"contract.cuh\"\n#include <bit>\n") ==
          Names{"cmath", "toy_device.h", "assay/view.hpp", "bit"});
    CHECK(leading("#include \"mine.cuh\"\n#include <bit>\n") == Names{"toy_device.h", "assay/view.hpp", "map", "bit"});
    CHECK(leading("#include \"toy_device.h\"\n#include <cub/cub.cuh>\n#include <bit>\n") == Names{"toy_device.h"});
    CHECK(leading("#define NDEBUG\n#include \"contract.cuh\"\n").empty());
    CHECK(leading_standard_headers("#include \"contract.cuh\"\n#include <cmath>\n").empty());
}

} // namespace
