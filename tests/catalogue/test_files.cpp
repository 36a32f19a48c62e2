// Where things lie.
#include "catalogue/files.hpp"
#include "catch.hpp"
#include "cli/assay.hpp"

#include <sys/stat.h>

using namespace assay;
namespace fs = std::filesystem;

TEST_CASE("a build tree takes contracts from its sources, an installation from beside itself") {
    const tests::Place place;
    const fs::path root = place.work() / "tree", source = place.work() / "source";
    fs::create_directories(source / "exercises");
    const Layout built = layout_of(root / "bin" / "assay", source);
    REQUIRE(built.worker("sdpa") == root / "libexec/assay/worker-sdpa");
    REQUIRE(built.entry_object("sdpa") == root / "libexec/assay/entry-sdpa.o");
    REQUIRE(built.contract("sdpa") == source / "exercises/sdpa");
    REQUIRE(built.headers() == source / "harness/contract");

    place.write("tree/share/assay/contract/assay/tensor.hpp", "//");
    const Layout installed = layout_of(root / "bin" / "assay", source);
    REQUIRE(installed.contract("sdpa") == root / "share/assay/exercises/sdpa");
    REQUIRE(installed.headers() == root / "share/assay/contract");
}

TEST_CASE("files are read whole or not at all") {
    const tests::Place place;
    place.write("a", "text");
    bool ok = false;
    REQUIRE(read_text(place.work() / "a", ok) == "text");
    REQUIRE(ok);
    REQUIRE(read_text(place.work() / "a", ok, 3).empty());
    REQUIRE_FALSE(ok);
    REQUIRE(read_text(place.work(), ok).empty());
    REQUIRE_FALSE(ok);
    REQUIRE(mkfifo((place.work() / "pipe").c_str(), 0600) == 0);
    REQUIRE(read_text(place.work() / "pipe", ok).empty()); // and does not wait for a writer
    REQUIRE_FALSE(ok);
}

TEST_CASE("a file that cannot be written is told, and nothing is left beside it") {
    const tests::Place place;
    place.write("folder/file", "x");
    REQUIRE_FALSE(write_text(place.work() / "folder", "text").empty()); // a folder stands there
    REQUIRE(write_text(place.work() / "folder" / "file" / "x", "text").find("cannot be") != std::string::npos);
    REQUIRE(std::distance(fs::directory_iterator(place.work()), fs::directory_iterator()) == 1);
}
