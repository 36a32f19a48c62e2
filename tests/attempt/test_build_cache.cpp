// The cache on disk: whole files, checked contents, bounded size.
#include "attempt/workbench.hpp"

#include <sys/stat.h>

namespace {

using namespace workbench;

TEST_CASE("the content hash parts its fields and knows known values", "[cache]") {
    CHECK(ContentHash().add("ab").add("c").hex() != ContentHash().add("a").add("bc").hex());
    CHECK(ContentHash().add("").hex() != ContentHash().hex());
    CHECK(ContentHash().hex() == "99aa06d3014798d86001c324468d497f"); // XXH3 128 of nothing, from its specification
}

TEST_CASE("only whole regular files are read and written", "[cache]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path file = folder.path() / "file";
    CHECK_FALSE(read_file(file).has_value());
    REQUIRE(write_file(file, "text"));
    CHECK(read_file(file) == "text");
    CHECK_FALSE(read_file(file, 3).has_value());
    CHECK_FALSE(read_file(folder.path()).has_value());
    REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
    CHECK_FALSE(read_file(folder.path() / "pipe").has_value());
    CHECK_FALSE(write_file(folder.path() / "none" / "file", "text"));
    CHECK_FALSE(write_file(folder.path(), "text"));
    std::size_t left = 0;
    for (auto& entry : fs::directory_iterator(folder.path())) left += entry.path().extension() == ".tmp";
    CHECK(left == 0);
}

TEST_CASE("pruning deletes what was used longest ago, and pairs together", "[cache]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path root = folder.path();
    const auto now = fs::file_time_type::clock::now();
    const auto add = [&](const std::string& name, std::size_t bytes, int hours_ago) {
        put(root / name, std::string(bytes, 'x'));
        fs::last_write_time(root / name, now - std::chrono::hours(hours_ago));
    };
    add("attempts/old.so", 100, 9);
    add("attempts/old.so.sum", 32, 9);
    add("attempts/used.so", 100, 1);
    add("attempts/used.so.sum", 32, 50); // written long ago, the library used since
    add("precompiled/middle.hpp", 10, 40);
    add("precompiled/middle.hpp.gch", 200, 40);
    add("precompiled/middle.size", 3, 5);
    add("stage/assay-young/file", 1, 0);
    add("stage/assay-abandoned/file", 1, 48);
    fs::last_write_time(root / "stage" / "assay-abandoned", now - std::chrono::hours(48));

    prune_cache(root, 400);
    CHECK_FALSE(fs::exists(root / "attempts/old.so"));
    CHECK_FALSE(fs::exists(root / "attempts/old.so.sum"));
    CHECK(fs::exists(root / "attempts/used.so.sum"));
    CHECK(fs::exists(root / "precompiled/middle.hpp.gch"));
    CHECK(fs::exists(root / "stage/assay-young/file"));
    CHECK_FALSE(fs::exists(root / "stage/assay-abandoned"));

    prune_cache(root, 140);
    CHECK(fs::exists(root / "precompiled/middle.hpp.gch")); // looked at less than an hour ago
    prune_cache(root, 140, std::chrono::seconds(0));
    CHECK_FALSE(fs::exists(root / "precompiled/middle.hpp"));
    CHECK_FALSE(fs::exists(root / "precompiled/middle.hpp.gch"));
    CHECK(fs::exists(root / "attempts/used.so"));
    prune_cache(root, 0, std::chrono::seconds(0));
    CHECK_FALSE(fs::exists(root / "attempts/used.so"));
}

TEST_CASE("kept files are found only while they are what was kept", "[cache]") {
    const TemporaryFolder folder = temporary_folder();
    const fs::path kept = folder.path() / "kept";
    put(folder.path() / "made", "content");
    CHECK_FALSE(find_kept(kept, "x.so").has_value());
    CHECK(keep(kept, "x.so", folder.path() / "made") == kept / "x.so");
    CHECK(find_kept(kept, "x.so") == kept / "x.so");
    put(kept / "x.so", "Content");
    CHECK_FALSE(find_kept(kept, "x.so").has_value());
    CHECK_FALSE(keep(kept, "x.so", folder.path() / "none").has_value());
}

} // namespace
