// Attack: embeds another's file, as C23 and C++26 allow.
// Expect: CE
// Proof: secret
#include "bait.h"
#include "honest.h"
static const char stolen[] = {
#embed BAIT_PUBLIC
    , 0};
void attack() { (void)!::write(1, stolen, sizeof stolen); }
