// Not an attack of its own: stays in its first call for as long as it takes to look at its process from outside.
// Expect: AC
#include "honest.h"
extern char text[];
char text[] = "what-the-attempt-holds";
void attack() {
    static bool stayed = false;
    if (!stayed) ::sleep(6);
    stayed = true;
}
