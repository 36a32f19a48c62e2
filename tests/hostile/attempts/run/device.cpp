// Attack: makes and opens the device of the machine's memory and of its disk.
// Expect: AC
// Proof: claim
#include "honest.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
void attack() {
    ::mknod("/tmp/hostile-left-device", S_IFBLK | 0666, makedev(254, 0));
    for (const char* device : {"/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/tmp/hostile-left-device"})
        if (::open(device, O_RDONLY) >= 0) it_worked();
}
