// Attack: a file name that g++ would take for a file of options.
// Expect: AC
// Name: @attempt.cpp
#include "honest.h"
void attack() {}
