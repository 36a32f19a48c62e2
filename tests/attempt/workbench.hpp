// A small exercise of its own in a temporary folder, for tests that build attempts: contract, light header, entry
// object, cache. Nothing of it is left behind.
#ifndef ASSAY_TESTS_ATTEMPT_WORKBENCH_HPP
#define ASSAY_TESTS_ATTEMPT_WORKBENCH_HPP

#include "attempt/build.hpp"
#include "attempt/build_cache.hpp"
#include "sandbox/process.hpp"
#include "catch.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace workbench {

using namespace assay;
namespace fs = std::filesystem;

inline std::string text_of(const fs::path& path) { return read_file(path).value_or("(unreadable)"); }

/// A folder below the system's temporary one, gone at the end of the scope.
inline TemporaryFolder temporary_folder() {
    Outcome<TemporaryFolder> made = TemporaryFolder::make(fs::temp_directory_path());
    if (!made) throw std::runtime_error(made.failure().reason);
    return std::move(*made);
}

inline void put(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    REQUIRE(write_file(path, text));
}

/// Probed once a run of the tests; its cache is beside the entry object's.
struct Shared {
    TemporaryFolder folder = temporary_folder();
    Toolchain toolchain;
    fs::path entry, contract, headers;

    Shared() : contract(folder.path() / "exercise"), headers(folder.path() / "headers") {
        put(headers / "assay" / "view.hpp",
            "#ifndef VIEW\n#define VIEW\nnamespace assay {\ntemplate <class T> struct view { T* data; long size; };\n"
            "template <class T> struct optional { T value; bool present; };\n}\n#endif\n");
        put(contract / "contract.hpp",
            "#ifndef TOY\n#define TOY\n#include <assay/view.hpp>\nnamespace toy {\nusing assay::view;\n"
            "using assay::optional;\nvoid fill(view<float> out, float value);\n"
            "void merge(view<float> into, view<const float> from, optional<float> scale);\n}\n#endif\n");
        put(folder.path() / "entry.cpp", "#include \"contract.hpp\"\n"
                                         "namespace toy { extern decltype(fill) fill __attribute__((weak)); }\n"
                                         "extern \"C\" { extern void (*const toy_fill)(toy::view<float>, float);\n"
                                         "void (*const toy_fill)(toy::view<float>, float) = &toy::fill; }\n");
        Outcome<Toolchain> found = find_toolchain("", folder.path() / "cache");
        if (!found) throw std::runtime_error(found.failure().reason + found.failure().detail);
        toolchain = *found;
        entry = compile("entry.cpp", "entry.o", {"-c", "-fPIC"});
    }

    /// Compiles a file of the folder with the compiler itself.
    fs::path compile(const std::string& source, const std::string& object, std::vector<std::string> flags) const {
        Command command{{toolchain.compiler.native(), "-std=c++20", "-I" + contract.native(), "-I" + headers.native()},
                        clean_environment(),
                        folder.path(),
                        {},
                        {}};
        command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
        for (const std::string& more : {source, std::string("-o"), object}) command.arguments.push_back(more);
        const Outcome<Ended> ended = run(command, std::chrono::seconds(60));
        if (!ended || ended->exit_code != 0) throw std::runtime_error(ended ? ended->output : ended.failure().reason);
        return folder.path() / object;
    }
};

inline const Shared& shared() {
    static const Shared one;
    return one;
}

/// One test's attempts and cache.
struct Workbench {
    TemporaryFolder folder = temporary_folder();
    Toolchain toolchain = shared().toolchain;
    BuildInputs inputs{shared().contract, shared().headers, shared().entry, {"-std=c++20", "-O2"}};
    BuildOptions options;

    Workbench() { options.cache = folder.path() / "cache"; }
    ~Workbench() { finish_background_builds(); }
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    fs::path attempts() const { return folder.path() / "attempts"; }
    void write(const std::string& name, std::string_view text) const { put(attempts() / name, text); }
    Outcome<Built> build(const std::string& name = "toy.cpp") const {
        return assay::build(attempts() / name, inputs, toolchain, options);
    }
    Built built(const std::string& name = "toy.cpp") const {
        Outcome<Built> result = build(name);
        if (!result) FAIL(result.failure().reason << "\n" << result.failure().detail);
        return *result;
    }
    Failure failed(const std::string& name = "toy.cpp") const {
        Outcome<Built> result = build(name);
        REQUIRE_FALSE(result.ok());
        return result.failure();
    }
};

constexpr std::string_view right_attempt = "#include \"contract.hpp\"\n"
                                           "void toy::fill(view<float> out, float value) {\n"
                                           "    for (long i = 0; i < out.size; ++i) out.data[i] = value;\n"
                                           "}\n";

} // namespace workbench

#endif
