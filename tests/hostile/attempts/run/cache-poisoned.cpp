// Attack: replaces its own library, and every other one in the cache it was loaded from.
// Expect: AC
// Open to its user at: limits
// Proof: file
#include "honest.h"
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
static int mark;
void attack() {
    Dl_info self{};
    if (::dladdr(&mark, &self) == 0) return;
    if (::open(self.dli_fname, O_WRONLY) >= 0) it_worked();
    char path[4096], beside[4096 + 32];
    ::snprintf(path, sizeof path, "%s", self.dli_fname);
    char* slash = strrchr(path, '/');
    if (slash == nullptr) return;
    *slash = 0;
    ::snprintf(beside, sizeof beside, "%s/hostile-left.so", path);
    ::close(::open(beside, O_WRONLY | O_CREAT, 0666));
}
