// Attack: shuts the channel in both directions and lives on.
// Expect: RTE
#include "honest.h"
#include <sys/socket.h>
void attack() {
    ::shutdown(3, SHUT_RDWR);
    for (;;) ::pause();
}
