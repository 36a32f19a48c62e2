// The compiler is a reader that an attempt directs: what it may open must hold nothing private, and the first line of a
// private file must not come back in a diagnostic.
#include "attempt/workbench.hpp"
#include "sandbox/trial.hpp"

#include <sys/stat.h>

using namespace workbench;
using namespace assay::tests;

namespace {

constexpr const char* secret = "TOP-SECRET-LINE";

/// Each way to make the compiler or assembler open a file.
std::vector<std::string> ways_to(const std::string& path) {
    return {"#define WHICH \"" + path + "\"\n#include WHICH\n",
            "asm(\".section .rodata\\nstolen: .incbin \\\"" + path + "\\\"\\n.text\");\n",
            "asm(\".include \\\"" + path + "\\\"\");\n",
            "#define LIBRARY \"" + path +
                "\"\n#if __has_include(LIBRARY)\n#include LIBRARY\n#else\n#error not there\n#endif\n"};
}

} // namespace

TEST_CASE("a private file does not come back in a diagnostic", "[compile_privacy]") {
    if (lacks(Layer::landlock)) return;
    const TemporaryFolder home = temporary_folder();
    REQUIRE(::chmod(home.path().c_str(), 0755) == 0); // no permission keeps the compiler out
    const fs::path hidden = home.path() / "private.txt";
    put(hidden, std::string(secret) + " = 1\n");
    for (const std::vector<Layer>& left_out : {std::vector<Layer>{}, {Layer::bubblewrap}}) {
        const Layers layers = without(layers_here(), left_out);
        CAPTURE(name_of(layers.level()));
        Workbench bench;
        bench.options.layers = &layers;
        for (const std::string& way : ways_to(hidden.native())) {
            CAPTURE(way);
            bench.write("toy.cpp", std::string(right_attempt) + way);
            const Failure failure = bench.failed();
            CHECK(failure.verdict == Verdict::CE);
            CHECK(failure.detail.find(secret) == std::string::npos);
            CHECK(failure.reason.find(secret) == std::string::npos);
        }
    }
}

TEST_CASE("with bubblewrap a compiler cannot even tell which files there are", "[compile_privacy]") {
    if (lacks(Layer::bubblewrap)) return;
    const Layers& layers = layers_here();
    Workbench bench;
    bench.options.layers = &layers;
    // Compiles only where none of them is there.
    bench.write("toy.cpp", std::string(right_attempt) +
                               "#define A \"/etc/passwd\"\n#define B \"/etc/shadow\"\n#define C \"/proc/1/environ\"\n"
                               "#if __has_include(A) || __has_include(B)\n#error seen\n#endif\n");
    CHECK(bench.built().library.string().find(".so") != std::string::npos);
}

TEST_CASE("what is built under each level is the same library", "[compile_privacy]") {
    std::string first;
    for (const std::vector<Layer>& left_out : {std::vector<Layer>{},
                                               {Layer::bubblewrap},
                                               {Layer::bubblewrap, Layer::cgroup, Layer::landlock, Layer::seccomp}}) {
        const Layers layers = without(layers_here(), left_out);
        CAPTURE(name_of(layers.level()));
        Workbench bench;
        bench.options.layers = &layers;
        bench.write("toy.cpp", right_attempt);
        const Built built = bench.built();
        CHECK_FALSE(built.cached);
        if (first.empty()) first = text_of(built.library);
        CHECK(text_of(built.library) == first);
        struct stat status {};
        REQUIRE(::stat(built.library.c_str(), &status) == 0);
        CHECK(status.st_uid == ::geteuid()); // ours, whoever compiled it
    }
}

TEST_CASE("what the compiler left is kept only where it is a plain file", "[compile_privacy]") {
    const TemporaryFolder folder = temporary_folder();
    put(folder.path() / "target", "content");
    fs::create_symlink(folder.path() / "target", folder.path() / "link");
    fs::create_hard_link(folder.path() / "target", folder.path() / "second-name");
    fs::create_directory(folder.path() / "folder");
    for (const char* name : {"link", "target", "second-name", "folder", "none"}) {
        CAPTURE(name);
        CHECK_FALSE(keep(folder.path() / "kept", "x.so", folder.path() / name).has_value());
    }
    put(folder.path() / "plain", "content");
    CHECK(keep(folder.path() / "kept", "x.so", folder.path() / "plain").has_value());
}
