// Attack: a header beside the attempt is a pipe that nobody ever writes to.
// Expect: CE
// Pipe: slow.h
#include "honest.h"
#include "slow.h"
void attack() {}
