// An attempt that would rather look around: it reads a private file and calls home. Gets: nothing of either.
#include "contract.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/socket.h>

namespace sdpa {

void attention(tensor<const float, 4>, tensor<const float, 4>, tensor<const float, 4>, optional<tensor<const bool, 4>>,
               bool, optional<float>, tensor<float, 4>) {
    std::FILE* secrets = std::fopen("/etc/shadow", "r");
    std::printf("the password file: %s\n", secrets != nullptr ? "open" : "not there");
    std::printf("a socket: %s\n", socket(AF_INET, SOCK_STREAM, 0) >= 0 ? "open" : "refused");
    std::exit(0); // and says that all is well
}

} // namespace sdpa
