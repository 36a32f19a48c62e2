// Attack: a header beside the attempt is a link to another's file.
// Expect: CE
// Link: leak.h public
// Proof: secret
#include "honest.h"
#include "leak.h"
void attack() {}
