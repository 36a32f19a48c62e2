// Runs the built program as a person would, in a folder of its own with its own progress.
#ifndef ASSAY_TESTS_CLI_ASSAY_HPP
#define ASSAY_TESTS_CLI_ASSAY_HPP

#include "catalogue/files.hpp"
#include "report/text.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::tests {

struct Ran {
    int exit = -1;
    std::string out, err;
};

/// A folder that goes away with its object. Builds are kept between tests, beside the program.
class Place {
  public:
    Place() {
        std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
        folder_ = name;
        std::filesystem::create_directory(folder_ / "work");
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::filesystem::path work() const { return folder_ / "work"; }
    std::filesystem::path state() const { return folder_ / "state" / "assay" / "progress.json"; }

    void write(const std::string& name, const std::string& text) const {
        if (const std::string reason = write_text(work() / name, text); !reason.empty())
            throw std::runtime_error(reason);
    }
    std::string read(const std::string& name) const { return read_whole(work() / name); }

    static std::string read_whole(const std::filesystem::path& path) {
        bool ok = false;
        return read_text(path, ok, std::size_t{64} << 20);
    }

    /// The environment and program as a shell writes them, for whoever starts it otherwise.
    std::string program() const {
        const std::filesystem::path cache = std::filesystem::path(ASSAY_BIN).parent_path().parent_path() / "test-cache";
        return "cd " + shell_word(work().string()) +
               " && exec env -u NO_COLOR -u COLUMNS HOME=" + shell_word(folder_.string()) +
               " XDG_STATE_HOME=" + shell_word((folder_ / "state").string()) +
               " XDG_CACHE_HOME=" + shell_word(cache.string()) + " " + extra + " " + shell_word(ASSAY_BIN);
    }

    /// `arguments` as typed in a shell.
    Ran run(const std::string& arguments) const {
        const std::filesystem::path out = folder_ / "out", err = folder_ / "err";
        const std::string command = "(" + program() + " " + arguments + ") > " + shell_word(out.string()) + " 2> " +
                                    shell_word(err.string()) + " < /dev/null";
        const int status = std::system(command.c_str());
        Ran ran;
        ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        ran.out = read_whole(out);
        ran.err = read_whole(err);
        return ran;
    }

    std::string extra; // more environment, "NAME=value"

  private:
    std::filesystem::path folder_;
};

/// A file of the source checkout.
inline std::string checkout_file(const std::string& path) {
    const std::string text = Place::read_whole(std::filesystem::path(ASSAY_SOURCE_DIR) / path);
    if (text.empty()) throw std::runtime_error(path + " is missing or empty");
    return text;
}

/// An attempt at sdpa whose `attention` has this body; the other functions are left out.
inline std::string attention(const std::string& body, const std::string& includes = "") {
    return includes +
           "#include \"contract.hpp\"\nnamespace sdpa {\n"
           "void attention(tensor<const float, 4> q, tensor<const float, 4> k, tensor<const float, 4> v,\n"
           "               optional<tensor<const bool, 4>> mask, bool causal, optional<float> scale,\n"
           "               tensor<float, 4> out) {\n    (void)q, (void)k, (void)v, (void)mask, (void)causal, "
           "(void)scale, (void)out;\n" +
           body + "\n}\n}\n";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace assay::tests

#endif
