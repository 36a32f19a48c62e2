// Which submissions are nearly the same text once names, numbers and spacing are set aside: a hint for a person to look
// at, never a verdict.
#ifndef ASSAY_GRADE_FINGERPRINT_HPP
#define ASSAY_GRADE_FINGERPRINT_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Hashes that stand for a source, sorted, each once: winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003) of 9 tokens
/// in windows of 5. Names count as one token, whatever they are, numbers and texts too; keywords, operators and the
/// names of the standard library that follow `std::` count as themselves. Comments and preprocessor lines do not count.
std::vector<std::uint64_t> fingerprint_of(std::string_view source);

struct Fingerprinted {
    std::string candidate;
    std::string exercise;
    std::vector<std::uint64_t> hashes;
};

inline constexpr const char* fingerprints_name = "fingerprints.txt";

/// A line a source: candidate (escaped as by names.hpp), exercise, hashes in hex.
std::string to_text(const std::vector<Fingerprinted>& all);
/// What to_text wrote; lines that cannot be read are left out.
std::vector<Fingerprinted> fingerprints_from(std::string_view text);

struct Similar {
    std::size_t a = 0, b = 0; // positions in the list, a < b
    double share = 0;         // of the shorter one's hashes that the other has too
};

/// Pairs at one exercise that share at least `least` of their hashes, most alike first. What `known` texts (a starter,
/// a solution) hold, and what more than a third of ten submissions or more hold, does not count; sources of which fewer
/// than 12 hashes are left are not compared.
std::vector<Similar> near_identical(const std::vector<Fingerprinted>& all, const std::vector<std::string>& known,
                                    double least = 0.8);

} // namespace assay

#endif
