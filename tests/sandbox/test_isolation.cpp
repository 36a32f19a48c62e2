// Names of levels and layers, which layers make which level, and the policy's way to assay-confine.
#include "catch.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/layers.hpp"
#include "sandbox/policy.hpp"

using namespace assay;

namespace {

Layers all_of_them() {
    Layers layers;
    layers.first_user = 60700;
    layers.landlock = 1;
    layers.seccomp = true;
    layers.bubblewrap.program = "/usr/bin/bwrap";
    layers.cgroup = std::make_shared<const CgroupRoot>();
    return layers;
}

} // namespace

TEST_CASE("levels and layers have names that lead back to them") {
    for (const Isolation level : {Isolation::limits, Isolation::filtered, Isolation::contained, Isolation::bounded}) {
        CHECK(isolation_from(name_of(level)) == level);
        CHECK_FALSE(meaning_of(level).empty());
    }
    for (const Layer layer : {Layer::user, Layer::landlock, Layer::seccomp, Layer::bubblewrap, Layer::cgroup})
        CHECK(layer_from(name_of(layer)) == layer);
    CHECK_FALSE(isolation_from("sealed").has_value());
    CHECK_FALSE(isolation_from("").has_value());
    CHECK_FALSE(layer_from("bwrap").has_value());
}

TEST_CASE("a level holds where every layer up to it does") {
    const Layers all = all_of_them();
    CHECK(all.level() == Isolation::bounded);
    CHECK(without(all, {Layer::cgroup}).level() == Isolation::contained);
    CHECK(without(all, {Layer::bubblewrap}).level() == Isolation::filtered);
    CHECK(without(all, {Layer::landlock}).level() == Isolation::limits);
    CHECK(without(all, {Layer::seccomp}).level() == Isolation::limits);
    CHECK(without(all, {Layer::user}).level() == Isolation::bounded);
    CHECK(Layers{}.level() == Isolation::limits);
}

TEST_CASE("what is left out is told, once, and is not in use") {
    const Layers layers = without(without(all_of_them(), {Layer::bubblewrap}), {Layer::bubblewrap, Layer::seccomp});
    CHECK(layers.withheld_names() == std::vector<std::string>{"bubblewrap", "seccomp"});
    CHECK(layers.names() == std::vector<std::string>{"user", "landlock", "cgroup"});
    CHECK(layers.why_not(Layer::bubblewrap) == "left out by ASSAY_WITHOUT");
    CHECK_FALSE(layers.filter_asks);
}

TEST_CASE("a policy arrives as it was sent, and nothing else passes for one") {
    Policy policy;
    policy.arguments = {"/bin/program", "", "an argument"};
    policy.environment = {"A=1"};
    policy.folder = "/here";
    policy.user = 60701;
    policy.cgroups = 2;
    policy.landlock = 7;
    policy.files = {{"/usr", FileRule::Kind::execute}, {"/tmp", FileRule::Kind::write}};
    policy.filter = std::string("\0\1\2", 3);
    policy.filter_asks = policy.own_signals_only = true;
    policy.forbidden = {101, 250};
    policy.limits = {{0, 5, 6}};
    const std::string bytes = encoded(policy);
    const auto back = decoded(bytes);
    REQUIRE(back.has_value());
    CHECK(encoded(*back) == bytes);
    CHECK(back->arguments == policy.arguments);
    CHECK(back->filter == policy.filter);
    CHECK(back->files[1].path == "/tmp");
    CHECK(back->files[1].kind == FileRule::Kind::write);
    CHECK(back->limits[0].hard == 6);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        REQUIRE_FALSE(decoded(std::string_view(bytes).substr(0, length)).has_value());
    CHECK_FALSE(decoded(bytes + "x").has_value());
    CHECK_FALSE(decoded(encoded(Policy{})).has_value()); // no program
    std::string huge = bytes;
    huge[8] = huge[15] = '\x7f'; // the number of arguments
    CHECK_FALSE(decoded(huge).has_value());
}
