// Attack: a file name that g++ would take for an option that runs a program.
// Expect: AC
// Name: -wrapper,sh.cpp
#include "honest.h"
void attack() {}
