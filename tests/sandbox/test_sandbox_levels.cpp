// Levels on the command line: demanded, lowered, told in the record; and checks as root, as anybody, and where user
// name spaces are denied.
#include "cli/assay.hpp"
#include "sandbox/trial.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace assay;
using namespace assay::tests;
namespace fs = std::filesystem;

namespace {

/// Right at the first level, quick to build.
const std::string right = attention("    for (std::ptrdiff_t b = 0; b < out.extent(0); ++b)\n"
                                    "        for (std::ptrdiff_t h = 0; h < out.extent(1); ++h)\n"
                                    "            for (std::ptrdiff_t i = 0; i < out.extent(2); ++i)\n"
                                    "                for (std::ptrdiff_t d = 0; d < out.extent(3); ++d)\n"
                                    "                    out(b, h, i, d) = 0;");

nlohmann::json environment_of(const Ran& ran) {
    CAPTURE(ran.out, ran.err);
    REQUIRE(ran.exit == 1); // all zeros is no attention
    return nlohmann::json::parse(ran.out).at("environment");
}

bool holds(const nlohmann::json& list, const std::string& name) {
    for (const auto& one : list)
        if (one == name) return true;
    return false;
}

/// The program as another user runs it, with folders of that user's own. `before` is put before it.
Ran run_as_nobody(const Place& place, const std::string& before, const std::string& arguments) {
    fs::permissions(place.work().parent_path(), fs::perms::all);
    fs::permissions(place.work(), fs::perms::all);
    const std::string own = place.work().string();
    const std::string out = own + "/nobody-out", err = own + "/nobody-err";
    const std::string command =
        "cd " + own + " && setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH=/usr/bin:/bin HOME=" + own +
        " ASSAY_CACHE_DIR=" + own + "/cache " + before + " " + ASSAY_BIN + " " + arguments + " > " + out + " 2> " +
        err + " < /dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Place::read_whole(out), Place::read_whole(err)};
}

bool nobody_can_run_it() {
    if (skipped(::geteuid() != 0, "only root can run the program as another user")) return false;
    return !skipped(
        std::system("setpriv --reuid 65534 --regid 65534 --clear-groups " ASSAY_BIN " --version > /dev/null 2>&1") != 0,
        "another user cannot run the program where it lies");
}

} // namespace

TEST_CASE("the record tells the level and its layers") {
    const Place place;
    place.write("sdpa.cpp", right);
    const nlohmann::json all = environment_of(place.run("check sdpa.cpp --level 1 --format json"));
    CHECK(all.at("isolation") == name_of(layers_here().level()));
    CHECK(all.at("layers").size() == layers_here().names().size());
    CHECK(all.at("withheld").empty());
}

TEST_CASE("layers can be left out, and the record says so") {
    Place place;
    place.write("sdpa.cpp", right);
    for (const auto& [without, level] :
         std::vector<std::pair<std::string, Isolation>>{{"bubblewrap,cgroup", Isolation::filtered},
                                                        {"landlock", Isolation::limits},
                                                        {"seccomp,landlock,bubblewrap,cgroup", Isolation::limits}}) {
        CAPTURE(without);
        place.extra = "ASSAY_WITHOUT=" + without;
        const nlohmann::json environment = environment_of(place.run("check sdpa.cpp --level 1 --format json"));
        CHECK(isolation_from(environment.at("isolation").get<std::string>()) <= level);
        const std::string first = without.substr(0, without.find(','));
        CHECK_FALSE(holds(environment.at("layers"), first));
        CHECK(holds(environment.at("withheld"), first));
    }
}

TEST_CASE("a level that is required and not reached is one sentence and exit code 3") {
    Place place;
    place.write("sdpa.cpp", right);
    place.extra = "ASSAY_WITHOUT=landlock";
    for (const char* command : {"check sdpa.cpp", "demo", "exercise verify sdpa", "watch sdpa.cpp"}) {
        CAPTURE(command);
        const Ran ran = place.run(std::string(command) + " --require-isolation filtered");
        CAPTURE(ran.out, ran.err);
        CHECK(ran.exit == 3);
        CHECK(ran.out.empty());
        CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
        CHECK(
            contains(ran.err, "isolation 'filtered' is required and 'limits' is what this machine gives: no landlock"));
    }
    const Ran met = place.run("check sdpa.cpp --level 1 --require-isolation limits");
    CHECK(met.exit == 1);
    CHECK(place.run("check sdpa.cpp --require-isolation sealed").exit == 2);
}

TEST_CASE("a layer that does not exist cannot be left out") {
    Place place;
    place.write("sdpa.cpp", right);
    for (const std::string name : {"bwrap", "user"}) { // a check never runs attempts as root
        place.extra = "ASSAY_WITHOUT=" + name;
        const Ran ran = place.run("check sdpa.cpp");
        CHECK(ran.exit == 2);
        CHECK(contains(ran.err, "ASSAY_WITHOUT names '" + name + "'"));
    }
}

TEST_CASE("doctor tells each layer, and how to get what is missing") {
    Place place;
    place.extra = "ASSAY_WITHOUT=seccomp";
    const Ran ran = place.run("doctor --color never");
    CAPTURE(ran.out);
    CHECK(contains(ran.out, "level            limits"));
    for (const char* layer : {"user", "landlock", "seccomp", "bubblewrap", "cgroup"}) CHECK(contains(ran.out, layer));
    CHECK(contains(ran.out, "left out by ASSAY_WITHOUT"));
}

TEST_CASE("a check works for anybody, not only for root") {
    if (!nobody_can_run_it()) return;
    const Place place;
    place.write("sdpa.cpp", right);
    const nlohmann::json environment =
        environment_of(run_as_nobody(place, "", "check sdpa.cpp --level 1 --format json"));
    CHECK_FALSE(holds(environment.at("layers"), "user"));
    if (layers_here().has(Layer::landlock)) CHECK(holds(environment.at("layers"), "landlock"));
    if (layers_here().has(Layer::seccomp)) CHECK(holds(environment.at("layers"), "seccomp"));
}

TEST_CASE("where user name spaces are denied, a check is filtered and not contained") {
    if (!nobody_can_run_it() || lacks(Layer::bubblewrap)) return;
    const std::string denying = layers_here().bubblewrap.program + " --unshare-user --disable-userns --dev-bind / / ";
    if (skipped(std::system((denying + "true 2> /dev/null").c_str()) != 0, "this bubblewrap cannot deny name spaces"))
        return;
    const Place place;
    place.write("sdpa.cpp", right);
    const nlohmann::json environment =
        environment_of(run_as_nobody(place, denying, "check sdpa.cpp --level 1 --format json"));
    CHECK_FALSE(holds(environment.at("layers"), "bubblewrap"));
    CHECK(isolation_from(environment.at("isolation").get<std::string>()) <= Isolation::filtered);
    const Ran required = run_as_nobody(place, denying, "check sdpa.cpp --require-isolation contained");
    CHECK(required.exit == 3);
    CHECK(contains(required.err, "isolation 'contained' is required"));
}

TEST_CASE("an attempt that breaks out is told what it did") {
    if (lacks(Layer::seccomp)) return;
    const Place place;
    place.write("sdpa.cpp", attention("ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);", "#include <sys/ptrace.h>\n"));
    const Ran ended = place.run("check sdpa.cpp --level 1 --color never");
    CAPTURE(ended.out, ended.err);
    CHECK(ended.exit == 1);
    CHECK(contains(ended.out, "SV"));
    if (layers_here().filter_asks) CHECK(contains(ended.out, "ptrace"));

    place.write("sdpa.cpp", attention("if (socket(AF_INET, SOCK_STREAM, 0) < 0) abort();",
                                      "#include <cstdlib>\n#include <sys/socket.h>\nusing std::abort;\n"));
    const Ran refused = place.run("check sdpa.cpp --level 1 --color never");
    CAPTURE(refused.out, refused.err);
    CHECK(refused.exit == 1);
    if (layers_here().filter_asks) {
        CHECK(contains(refused.out, "SV"));
        CHECK(contains(refused.out, "socket"));
    }
}
