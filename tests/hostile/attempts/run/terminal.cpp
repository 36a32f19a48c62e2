// Attack: types a command into the judge's terminal.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <fcntl.h>
#include <sys/ioctl.h>
void attack() {
    for (const int fd : {::open("/dev/tty", O_RDWR), 0, 1, 2}) {
        char key = '\n';
        if (::ioctl(fd, TIOCSTI, &key) == 0) it_worked();
    }
}
