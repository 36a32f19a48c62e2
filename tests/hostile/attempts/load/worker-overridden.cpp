// Attack: defines the worker's own functions, to be asked in their place.
// Expect: AC
#include "honest.h"
#include <stddef.h>
#include <sys/types.h>
namespace assay {
bool send_message(int, const void*, size_t) { return true; }
int receive_message(int, void*, bool) { return 0; }
} // namespace assay
extern "C" {
ssize_t recv(int, void*, size_t, int) {
    it_worked();
    return 0;
}
ssize_t send(int, const void*, size_t, int) {
    it_worked();
    return 0;
}
int mprotect(void*, size_t, int) noexcept {
    it_worked();
    return 0;
}
}
void attack() {}
