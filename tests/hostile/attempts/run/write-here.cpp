// Attack: writes into the folder that it runs in.
// Expect: AC
// Proof: file
#include "honest.h"
#include <fcntl.h>
#include <sys/stat.h>
void attack() {
    const int file = ::open("hostile-left-here", O_WRONLY | O_CREAT, 0666);
    ::close(file);
    ::mkdir("hostile-left-folder", 0777);
    ::symlink("/etc/passwd", "hostile-left-link");
}
