// Attack: lists the folders in which other people's work lies.
// Expect: AC
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <dirent.h>
void attack() {
    for (const char* path : {BAIT_FOLDER, "/root", "/home"}) {
        DIR* folder = ::opendir(path);
        if (folder == nullptr) continue;
        int entries = 0;
        while (::readdir(folder) != nullptr) ++entries;
        if (entries > 2) it_worked();
        ::closedir(folder);
    }
}
