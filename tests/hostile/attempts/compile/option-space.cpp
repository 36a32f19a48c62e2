// Attack: a file name with what a shell or a make file would act on.
// Expect: AC
// Name: $(touch${IFS}x);`id` '"&|.cpp
#include "honest.h"
void attack() {}
