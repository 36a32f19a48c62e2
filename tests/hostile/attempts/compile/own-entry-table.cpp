// Attack: defines the table by which the judge finds its functions.
// Expect: CE
#include "honest.h"
extern "C" {
extern void (*const assay_entry_table[])();
void (*const assay_entry_table[])() = {nullptr};
}
void attack() {}
