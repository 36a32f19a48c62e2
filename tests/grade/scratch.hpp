// A folder of a test's own, deleted at its end.
#ifndef ASSAY_TESTS_GRADE_SCRATCH_HPP
#define ASSAY_TESTS_GRADE_SCRATCH_HPP

#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <unistd.h>

struct Scratch {
    std::filesystem::path path;
    Scratch() {
        static std::atomic<int> made{0};
        path = std::filesystem::temp_directory_path() / fmt::format("assay-grade-test-{}-{}", ::getpid(), ++made);
        std::filesystem::create_directories(path);
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name) << text;
    }
};

#endif
