#include "sandbox/system_files.hpp"

#include <algorithm>
#include <initializer_list>
#include <system_error>

namespace assay {

namespace fs = std::filesystem;

namespace {

/// Adds what exists and does not lie in one that is there.
void add(std::vector<fs::path>& paths, const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) return;
    for (const fs::path& other : paths)
        if (lies_in(path, other)) return;
    paths.push_back(path);
}

fs::path this_program() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

} // namespace

bool lies_in(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::vector<fs::path> system_libraries() {
    std::vector<fs::path> paths;
    for (const char* path :
         {"/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache"})
        add(paths, path);
    for (const char* path : {"/lib", "/lib64"}) { // real folders on systems whose /usr is apart
        std::error_code error;
        if (!fs::is_symlink(path, error)) add(paths, path);
    }
    return paths;
}

std::vector<fs::path> system_for_compiling(const fs::path& compiler) {
    std::vector<fs::path> paths = system_libraries();
    for (const char* path : {"/usr/bin", "/usr/include", "/usr/libexec", "/usr/local/include", "/usr/local/libexec",
                             "/etc/alternatives", "/etc/ld.so.conf", "/etc/ld.so.conf.d"})
        add(paths, path);
    std::error_code error;
    if (!fs::is_symlink("/bin", error)) add(paths, "/bin");
    const fs::path prefix = compiler.parent_path().parent_path();
    if (prefix == "/usr") return paths;
    for (const char* shared : {"/usr/local", "/opt"}) // /opt/gcc-14, /usr/local/cuda-12.4: nothing of a person's
        if (prefix != shared && lies_in(prefix, shared)) add(paths, prefix);
    // Elsewhere it may be a home: its own folders alone.
    for (const char* folder : {"bin", "lib", "lib64", "libexec", "include"}) add(paths, prefix / folder);
    for (fs::directory_iterator at(prefix, error), end; !error && at != end; at.increment(error))
        if (at->path().filename().native().find("-linux-") != std::string::npos) add(paths, at->path());
    return paths;
}

std::vector<fs::path> to_be_hidden(const std::vector<fs::path>& folders) {
    const fs::path program = this_program();
    for (const fs::path& folder : folders)
        if (program != folder && lies_in(program, folder)) return {program};
    return {};
}

fs::path confine_program() {
    return this_program().parent_path().parent_path() / "libexec" / "assay" / "assay-confine";
}

} // namespace assay
