// Attack: lists the folders in which other people's work lies.
// Expect: AC
// Open at: limits
// Proof: claim
#include "bait.h"
#include "honest.h"
#include <dirent.h>
#include <string.h>
void attack() {
    for (const char* path : {BAIT_FOLDER, "/root", "/home"}) {
        DIR* folder = ::opendir(path);
        if (folder == nullptr) continue;
        int entries = 0;
        while (const dirent* entry = ::readdir(folder)) {
            ++entries;
            if (strcmp(entry->d_name, "private") == 0) it_worked();
        }
        if (path[1] != 't' && entries > 2) it_worked(); // of /tmp/... its own library may be seen
        ::closedir(folder);
    }
}
