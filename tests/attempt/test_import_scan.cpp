// Which modules a Python file imports, and which of them are taken from beside it.
#include "attempt/build_staging.hpp"
#include "attempt/import_scan.hpp"
#include "attempt/workbench.hpp"

using namespace workbench;
using Names = std::vector<std::string>;

TEST_CASE("imports are read line by line") {
    CHECK(find_imports("import math\nimport os.path as p, json\n") == Names{"math", "os", "json"});
    CHECK(find_imports("    from helper import x\nfrom a.b import c; import d\n") == Names{"helper", "a", "d"});
    CHECK(find_imports("from . import x\nfrom .y import z\n").empty());
    CHECK(find_imports("important = 1\nfromage = 2\n# import x\nx = 'import y'\n").empty());
    CHECK(find_imports("import") == Names{});
    CHECK(find_imports("import helper\r\nimport helper\r\n") == Names{"helper"});
}

TEST_CASE("modules beside the attempt are taken in, what is given is not") {
    const Workbench bench;
    bench.write("toy.py", "import helper\nimport contract, assay, math\n");
    bench.write("helper.py", "import deeper\n");
    bench.write("deeper.py", "x = 1\n");
    bench.write("contract.py", "mine = 1\n");
    bench.write("assay.py", "mine = 1\n");
    bench.write("math2.py", "x = 1\n");
    const auto sources = collect_sources(bench.attempts() / "toy.py", "the exercise's own");
    REQUIRE(sources.ok());
    Names names;
    for (const StagedFile& file : sources->files) names.push_back(file.name.native());
    CHECK(names == Names{"toy.py", "helper.py", "deeper.py"});
    REQUIRE(sources->notes.size() == 1);
    CHECK(sources->notes[0].find("contract.py beside the attempt differs") != std::string::npos);

    fs::create_symlink("/etc/hostname", bench.attempts() / "linked.py");
    bench.write("other.py", "import linked\n");
    const auto linked = collect_sources(bench.attempts() / "other.py", "mine = 1\n");
    REQUIRE(linked.ok());
    CHECK(linked->files.size() == 1);
    CHECK(linked->notes.at(0) == "linked.py was not used: it is a link out of the attempt's folder");
    bench.write("zero.py", std::string_view("x\0y", 3));
    CHECK(collect_sources(bench.attempts() / "zero.py", "").failure().reason ==
          (bench.attempts() / "zero.py").filename().native() +
              " is not text (it holds a zero byte): an attempt is a Python source file");
}
