// Names are data: whatever bytes a candidate's folder is called by becomes one harmless file name, and comes back.
#include "catch.hpp"

#include "core/random.hpp"
#include "grade/names.hpp"

#include <set>

using namespace assay;

TEST_CASE("a plain name stays as it is, any other becomes ASCII without meaning to a shell or a file system") {
    CHECK(escaped_name("ada.lovelace-2_b") == "ada.lovelace-2_b");
    CHECK(escaped_name("-rf") == "%2Drf");
    CHECK(escaped_name("..") == "%2E.");
    CHECK(escaped_name("a/b") == "a%2Fb");
    CHECK(escaped_name("a/b", true) == "a/b");
    CHECK(escaped_name(std::string("x\0y\n", 4)) == "x%00y%0A");
    CHECK(escaped_name("100%") == "100%25");
}

TEST_CASE("any bytes come back, and different names stay different") {
    Random random(11);
    std::set<std::string> seen, names;
    for (int i = 0; i < 2000; ++i) {
        std::string name;
        for (std::int64_t length = random.integer(1, 6); length > 0; --length)
            name += static_cast<char>(random.integer(0, 255));
        CHECK(plain_name(escaped_name(name)) == name);
        CHECK(plain_name(escaped_name(name, true)) == name);
        names.insert(name);
        seen.insert(escaped_name(name));
    }
    CHECK(seen.size() == names.size());
}

TEST_CASE("a name that no file system takes is cut, and two that begin alike stay apart") {
    const std::string a(1000, 'a'), b = a + "b";
    CHECK(file_name_for(a).size() <= 180);
    CHECK(file_name_for(a) != file_name_for(b));
    CHECK(file_name_for("short") == "short");
}
