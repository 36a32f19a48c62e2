// Attack: writes 512 MiB wherever it may write.
// Expect: AC
// Expect at limits: AC TLE OLE
// Open at: limits
// Proof: file
#include "bait.h"
#include "honest.h"
#include <fcntl.h>
#include <signal.h>
void attack() {
    static bool begun = false;
    if (begun) return;
    begun = true;
    ::signal(SIGXFSZ, SIG_IGN);
    static char block[1 << 20];
    for (const char* place : {BAIT_DROP "/fill", "/tmp/hostile-left-fill", "/dev/shm/hostile-left-fill",
                              "/var/tmp/hostile-left-fill", "hostile-left-fill"}) {
        const int file = ::open(place, O_WRONLY | O_CREAT, 0666);
        if (file < 0) continue;
        long written = 0;
        while (written < 512 && ::write(file, block, sizeof block) == sizeof block) ++written;
        ::close(file);
        if (written == 512) {
            it_worked();
            return;
        }
    }
}
