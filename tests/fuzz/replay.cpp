// fuzz-replay CORPUS COUNT [TARGET]: runs each target on its kept inputs, then on COUNT mutations of them from a fixed
// seed. The short way, for every run of the tests; the long one is tests/fuzz/run, by libFuzzer.
#include "core/random.hpp"
#include "fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

using assay::Random;

std::string from_hex(const std::string& line) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2)
        bytes += static_cast<char>(std::strtol(line.substr(i, 2).c_str(), nullptr, 16));
    return bytes;
}

/// An input a line, in hex.
std::vector<std::string> corpus_of(const std::string& folder, std::string_view target) {
    std::vector<std::string> inputs{""};
    std::ifstream file(folder + "/" + std::string(target) + ".txt");
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') inputs.push_back(from_hex(line));
    return inputs;
}

std::string mutated(const std::vector<std::string>& corpus, Random& random) {
    const auto any = [&] {
        return corpus[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(corpus.size()) - 1))];
    };
    std::string input = any();
    for (std::int64_t changes = random.integer(1, 6); changes > 0; --changes) {
        const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(input.size())));
        switch (random.integer(0, 4)) {
        case 0: input.insert(at, 1, static_cast<char>(random.integer(0, 255))); break;
        case 1:
            if (at < input.size()) input[at] = static_cast<char>(random.integer(0, 255));
            break;
        case 2: input.erase(at, static_cast<std::size_t>(random.integer(1, 8))); break;
        case 3: input.insert(at, any().substr(0, static_cast<std::size_t>(random.integer(1, 32)))); break;
        default:
            if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << random.integer(0, 7)));
        }
        if (input.size() > 65536) input.resize(65536);
    }
    return input;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fputs("usage: fuzz-replay CORPUS COUNT [TARGET]\n", stderr);
        return 2;
    }
    const std::string only = count > 3 ? arguments[3] : "";
    const long mutations = std::strtol(arguments[2], nullptr, 10);
    for (const FuzzTarget& target : fuzz_targets()) {
        if (!only.empty() && target.name != only) continue;
        const std::vector<std::string> corpus = corpus_of(arguments[1], target.name);
        for (const std::string& input : corpus) target.run(input);
        Random random(1, target.name);
        for (long i = 0; i < mutations; ++i) target.run(mutated(corpus, random));
        std::printf("%s: %zu inputs kept, %ld mutations\n", std::string(target.name).c_str(), corpus.size(), mutations);
    }
    return 0;
}
